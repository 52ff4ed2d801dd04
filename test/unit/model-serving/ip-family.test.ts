import { describe, expect, test } from 'vitest';
import { ENGINES } from '../../../constructs/model-serving/engines.ts';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { render, serverOf, specOf } from './support/render.ts';
import { single } from './support/specs.ts';

type Type = Exclude<(typeof ENGINES)[number], 'custom'>;
type Family = 'IPv4' | 'IPv6';

const served = (type: Type, ipFamily?: Family): ModelServingSpecInput => ({
  ...single,
  engine: { type, ...(ipFamily && { ipFamily }) },
  security: { level: 'baseline' },
});

const argsOf = (type: Type, ipFamily?: Family): readonly string[] => serverOf(served(type, ipFamily)).args ?? [];

const known = ENGINES.filter((type): type is Type => type !== 'custom');

describe('on addresses of IPv6', () => {
  test.each([
    // vLLM 0.30.0, entrypoints/launchers/launcher.py, create_server_socket: AF_INET6 for an address of IPv6, else AF_INET.
    ['vllm', '--host=::'],
    // SGLang 0.5.18, srt/entrypoints/http_server.py, hands it to uvicorn, whose event loop (uvloop, loop.pyx, create_server)
    // sets IPV6_V6ONLY. It asks itself at ::1 (srt/server_args.py, url).
    ['sglang', '--host=::'],
    // TGI 3.3.7, router/src/server.rs: `hostname.parse()` must give an IP address; axum listens on it.
    ['tgi', '--hostname=::'],
    // Triton 2.59.0 (25.06), http_server.cc, Start, and libevhtp's evhtp.c of its third_party (unchanged from 2022 to 2025),
    // evhtp_bind_socket: what does not begin with "ipv6:" is read as IPv4.
    ['triton', '--http-address=ipv6:::'],
  ] as const)('%s listens by %s, and is told no other address', (type, argument) => {
    const ours = argsOf(type, 'IPv6').filter((each) => /^--(?:host|hostname|http-address|metrics-address)=/.test(each));
    expect(ours).toEqual([argument]);
  });

  test('TensorFlow Serving listens by itself', () => {
    // TensorFlow Serving 2.19.1, evhttp_server.cc, StartAcceptingRequests: "::" first, and IPv4 where that can't be.
    expect(argsOf('tensorflow-serving', 'IPv6')).toEqual(argsOf('tensorflow-serving'));
  });

  test.each(['vllm', 'sglang', 'tgi'] as const)('%s is asked there how much it has in flight', (type) => {
    const hook = JSON.stringify(serverOf(served(type, 'IPv6')).lifecycle);
    expect(hook).toMatch(/"http:\/\/\[::1\]:\d+\/metrics"/);
    expect(hook).not.toContain('127.0.0.1');
  });

  test('the Service takes the family of the cluster', () => {
    const service = specOf('service', served('vllm', 'IPv6')) as object;
    expect(service).not.toHaveProperty('ipFamilies');
    expect(service).not.toHaveProperty('ipFamilyPolicy');
  });
});

describe('where nothing is said', () => {
  test.each(known)('%s listens as with IPv4', (type) => {
    expect(render(served(type))).toEqual(render(served(type, 'IPv4')));
  });

  test.each(known)('%s is told no address of IPv6, since a node may have none', (type) => {
    expect(argsOf(type).filter((each) => each.includes('::'))).toEqual([]);
  });
});
