import { describeInstalled } from './support/installed.ts';
import { withHelm } from './support/ways.ts';

describeInstalled(withHelm);
