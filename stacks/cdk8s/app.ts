import { App } from 'cdk8s';
import { Models } from './models.ts';
import { Trainings } from './trainings.ts';

/** The example app: models with the agent that asks one of them, and a training. */
export function exampleApp(): App {
  const app = new App();
  new Models(app, 'models');
  new Trainings(app, 'trainings');
  return app;
}
