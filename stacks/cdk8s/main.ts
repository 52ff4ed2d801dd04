import { App } from 'cdk8s';
import { Models } from './models.ts';
import { warningsBelow } from './warnings.ts';

const app = new App();
new Models(app, 'models');
for (const warning of warningsBelow(app)) console.warn(`warning: ${warning}`);
app.synth();
