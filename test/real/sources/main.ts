import type { Certificate } from '../../unit/weights/support/certificate.ts';
import { type Host, send, startHost } from '../../unit/weights/support/host.ts';
import { type HubFile, startHub } from '../../unit/weights/support/hub.ts';
import { archive, CONFIG, weights } from './content.ts';
import { PORTS } from './ports.ts';

/** 16 KiB each 5 ms: 3 MiB/s, so that somebody can be killed in the middle. */
const SLOW = { pauseMs: 5 };
const address = '0.0.0.0';

/** A repository as the Hub has them. */
const filesOf = (sent: Buffer): Readonly<Record<string, HubFile>> => ({
  'config.json': { content: CONFIG },
  'model.safetensors': { content: weights(), lfs: true, sent: () => sent, fault: () => SLOW },
});

const damaged = weights();
damaged.writeUInt8(damaged.readUInt8(1_000_000) ^ 1, 1_000_000);

const certificate: Certificate = { key: process.env['SOURCES_KEY'] ?? '', cert: process.env['SOURCES_CERT'] ?? '' };

const whole = archive();
const web = startHost(
  (request, response, seen) => send(request, response, seen, whole, { etag: '"1"' }, SLOW),
  certificate,
  {
    address,
    port: PORTS.web,
  },
);
const hosts: Readonly<Record<string, Host>> = {
  hub: await startHub(filesOf(weights()), undefined, 2, { address, port: PORTS.hub }),
  damagedHub: await startHub(filesOf(damaged), undefined, 2, { address, port: PORTS.damagedHub }),
  web: await web,
};

await startHost(
  (_request, response) => {
    const seen = Object.fromEntries(
      Object.entries(hosts).map(([host, { requests }]) => [
        host,
        requests.map(({ url, range = '', sent }) => ({ url, range, sent })),
      ]),
    );
    response.end(JSON.stringify(seen));
  },
  undefined,
  { address, port: PORTS.requests },
);
console.log('ready');
