import type { VIEWS } from './fixtures/world.ts';
import { chatStream, ENDING, logLines, logStream } from './streams.ts';
import { shows, type Watched } from './watched.ts';

const ANSWER = `Sunlight is a mix of all colours. Air scatters short waves far more than long ones, so blue light reaches you from every part of the sky, while red goes straight through.

At sunset the light has a longer way through the air: most of the blue is scattered out of it, and what is left is red.`;

/** What has to happen before a view has all that it shows. */
const FILLED: Partial<Readonly<Record<keyof typeof VIEWS, (watched: Watched) => Promise<void>>>> = {
  logs: async ({ page, fake }) => {
    (await logStream(fake)).write(...logLines(1, 60), { note: 'worker-9 has no log yet' });
    await shows(page, 'worker-9 has no log yet');
  },
  search: async ({ page }) => {
    const plot = page.getByAltText(/trials of learning-rate/);
    await plot.waitFor();
    await plot.evaluate((image) => (image as HTMLImageElement).decode());
  },
  chat: async ({ page, fake }) => {
    await page.getByLabel('Question').fill('Why is the sky blue?');
    await page.getByRole('button', { name: 'Send' }).click();
    (await chatStream(fake)).end({ thought: 'They want it short.' }, { text: ANSWER }, ENDING);
    await shows(page, /44.3 tokens a second/);
  },
};

/** Lets a view have all that it shows. */
export const filled = async (view: keyof typeof VIEWS, watched: Watched): Promise<void> => FILLED[view]?.(watched);
