/** Field of a state by which a resource that may go has no children any more where no owner can be named. */
export const RELEASED = 'trunnion.released';
