import { operate } from '../../../operator/operate.ts';
import { WebApp } from '../../unit/cli/user-kinds/support/web-app.ts';

await operate({ name: 'acme-operator', kinds: [WebApp], host: '127.0.0.1' });
