/** Stands where an answer will be. */
export const Loading = ({ isOver }: { readonly isOver: boolean }) =>
  isOver ? null : (
    <p class="empty" role="status">
      Loading…
    </p>
  );
