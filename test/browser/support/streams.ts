import { expect } from 'vitest';
import type { ChatPiece, LogPiece } from '../../../cli/ui/api.ts';
import type { FakeServer } from './fake-server.ts';

/** Lines of a training, from two ranks in turn. */
export const logLines = (from: number, count: number): readonly LogPiece[] =>
  Array.from({ length: count }, (_, index) => {
    const step = from + index;
    const at = new Date(Date.UTC(2026, 10, 28, 9, 30, step)).toISOString();
    const loss = (2.4 * 0.97 ** (step / 4) + 0.1).toFixed(4);
    return {
      source: `worker-${step % 2 === 0 ? 3 : 5}`,
      at,
      text: `step=${step} loss=${loss} samples_per_second=1184`,
    };
  });

/** The last stream of logs that was asked for. */
export async function logStream(fake: FakeServer, number = 1): Promise<FakeServer['logs'][number]> {
  await expect.poll(() => fake.logs.length).toBe(number);
  return fake.logs[number - 1] as FakeServer['logs'][number];
}

/** The stream of an answer that was asked for. */
export async function chatStream(fake: FakeServer, number = 1): Promise<FakeServer['chats'][number]> {
  await expect.poll(() => fake.chats.length).toBe(number);
  return fake.chats[number - 1] as FakeServer['chats'][number];
}

/** How an answer ends. */
export const ENDING: ChatPiece = {
  ending: 'stop',
  tokens: 58,
  tokensPerSecond: 44.3,
  firstTokenSeconds: 0.21,
  seconds: 1.5,
};
