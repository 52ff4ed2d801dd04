export { ELECTION_TIMING, LEASES, type ElectionTiming } from './election.ts';
export { LeaderElection, NotLeaderError, type LeaderElectionOptions } from './lease.ts';
