/** A small operator of the runtime, as others write theirs. */
import { operate } from '../../../operator/index.ts';
import { WebApp } from './web-app.ts';

await operate({ name: 'acme-operator', kinds: [WebApp] });
