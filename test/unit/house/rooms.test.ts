import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Settings {
  readonly rules: { readonly 'trunnion/one-door': readonly [string, { rooms: string[]; schemas: string[] }] };
}

const settings = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as Settings;
const [, { rooms, schemas }] = settings.rules['trunnion/one-door'];

test.for(rooms)('%s has a door, and a README that says what is in it and what may not be', (room) => {
  expect(existsSync(`${room}/index.ts`)).toBe(true);
  const lines = readFileSync(`${room}/README.md`, 'utf8').trim().split('\n');
  expect(lines[0]).toBe(`# ${room}`);
  expect(lines.length).toBeLessThanOrEqual(9);
  expect(lines.some((line) => line.includes('What may not be here'))).toBe(true);
});

test('a room with a door for schemas is a room', () => {
  expect(rooms).toEqual(expect.arrayContaining(schemas));
});

test('a room within a room comes after it, so that a stranger is sent to the outer door', () => {
  for (const [index, room] of rooms.entries()) {
    expect(rooms.slice(0, index).filter((earlier) => earlier.startsWith(`${room}/`))).toEqual([]);
  }
});
