import { describe, expect, test } from 'vitest';
import { trunnion } from '../support/trunnion.ts';
import { plot } from './support/fixtures/search.ts';
import { shownPicture, textsOf } from './support/picture.ts';
import { withBrowser } from './support/watched.ts';

withBrowser();

/** What a browser shows behind a picture that has no ground of its own. */
const GROUND = { light: [255, 255, 255], dark: [22, 26, 33] } as const;

/** What `trunnion graph` draws of a file of examples. */
async function graph(file: string): Promise<string> {
  const { stdout, stderr, code } = await trunnion(['graph', '-f', file]);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

const PICTURES: Readonly<Record<string, () => Promise<string>>> = {
  'the graph of a model': () => graph('examples/model-serving.yaml'),
  'the graph of a training': () => graph('examples/distributed-training.yaml'),
  'the graph of an agent': () => graph('examples/agent-service.yaml'),
  'the plot of a search': plot,
};

const looks = Object.keys(PICTURES).flatMap((name) =>
  (['light', 'dark'] as const).map((scheme) => [name, scheme] as const),
);

describe.each(looks)('%s, on a %s screen', (name, scheme) => {
  test('has its texts inside, and each with contrast enough to be read', async () => {
    const page = await shownPicture((await PICTURES[name]?.()) ?? '', scheme);
    const texts = await textsOf(page, GROUND[scheme]);
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.filter(({ isInside }) => !isInside).map(({ text }) => text)).toEqual([]);
    const faint = texts.filter(({ contrast }) => contrast < 4.5);
    expect(faint.map(({ text, contrast }) => `${text}: ${contrast.toFixed(2)}`)).toEqual([]);
  });
});

test('the check finds a text that is cut off, and one that is too faint on what is behind it', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">
    <rect width="200" height="50" fill="#808080"/>
    <text x="10" y="30" fill="#777777">faint</text>
    <text x="180" y="80" fill="#000000">cut off</text>
    <text x="10" y="80" fill="#000000">fine</text>
  </svg>`;
  const texts = await textsOf(await shownPicture(svg, 'light'), GROUND.light);
  expect(texts.map(({ text, isInside, contrast }) => [text, isInside, Math.round(contrast)])).toEqual([
    ['faint', true, 1],
    ['cut off', false, 21],
    ['fine', true, 21],
  ]);
});
