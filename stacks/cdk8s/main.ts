import { exampleApp } from './app.ts';
import { warningsBelow } from './warnings.ts';

const app = exampleApp();
for (const warning of warningsBelow(app)) console.warn(`warning: ${warning}`);
app.synth();
