import { describeInstalled } from './support/installed.ts';
import { plain } from './support/ways.ts';

describeInstalled(plain);
