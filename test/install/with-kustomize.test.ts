import { describeInstalled } from './support/installed.ts';
import { kustomize } from './support/ways.ts';

describeInstalled(kustomize);
