export { ELECTION_TIMING, type ElectionTiming } from './election.ts';
export { LeaderElection, NotLeaderError, type LeaderElectionOptions } from './lease.ts';
