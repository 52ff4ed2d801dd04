import { expect, test } from 'vitest';
import { VIEWS } from './support/fixtures/world.ts';
import { chatStream, ENDING, logLines, logStream } from './support/streams.ts';
import { look, shows, withBrowser } from './support/watched.ts';

withBrowser();

const log = (page: Awaited<ReturnType<typeof look>>['page']) => page.getByRole('log', { name: 'Logs' });

test('logs come as they are printed, and the view stays at their end until somebody scrolls up', async () => {
  const { page, fake } = await look({ route: VIEWS.logs });
  const stream = await logStream(fake);
  expect(stream.asked.searchParams.get('name')).toBe('resnet-nightly');
  stream.write(...logLines(1, 300));
  await shows(page, 'step=300 ');
  const distance = () => log(page).evaluate((view) => view.scrollHeight - view.scrollTop - view.clientHeight);
  expect(await distance()).toBeLessThan(2);
  await log(page).evaluate((view) => (view.scrollTop = 200));
  await page.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
  stream.write(...logLines(301, 20));
  await shows(page, '20 new lines below');
  expect(await log(page).evaluate((view) => view.scrollTop)).toBe(200);
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByRole('button', { name: 'Follow', pressed: true }).waitFor();
  await expect.poll(distance).toBeLessThan(2);
  await page.getByLabel('Times').check();
  await shows(page, '09:35:20.000');
});

test('of many lines the last 5,000 are kept, and the page says how to get the rest', async () => {
  const { page, fake } = await look({ route: VIEWS.logs });
  const stream = await logStream(fake);
  for (let from = 1; from <= 12_000; from += 1_000) stream.write(...logLines(from, 1_000));
  await shows(page, 'step=12000 ');
  expect(await page.locator('.log-line').count()).toBe(5_000);
  await shows(page, 'trunnion logs resnet-nightly');
});

test('another pod, another container, and the end of the logs', async () => {
  const { page, fake } = await look({ route: VIEWS.logs });
  const first = await logStream(fake);
  await page.getByLabel('Pod').selectOption('resnet-nightly-worker-3');
  const second = await logStream(fake, 2);
  expect(second.asked.searchParams.get('pod')).toBe('resnet-nightly-worker-3');
  await expect.poll(() => first.isOpen).toBe(false);
  await page.getByLabel('Container').selectOption('metrics');
  const third = await logStream(fake, 3);
  expect(third.asked.searchParams.get('container')).toBe('metrics');
  third.end(...logLines(1, 1), { error: 'the node is gone' });
  await shows(page, 'the node is gone');
  await page.getByRole('button', { name: 'Follow again' }).click();
  await logStream(fake, 4);
  await page.getByRole('link', { name: 'Status' }).click();
  await expect.poll(() => fake.logs.every(({ isOpen }) => !isOpen)).toBe(true);
});

test('an answer is shown piece by piece, with its figures, and is a part of what is asked next', async () => {
  const { page, fake, problems } = await look({ route: VIEWS.chat });
  const field = page.getByLabel('Question');
  await field.fill('Why is the sky blue?');
  await field.press('Enter');
  const first = await chatStream(fake);
  first.write({ thought: 'They want it short.' }, { text: 'Air scatters ' });
  await shows(page, 'Air scatters');
  await shows(page, 'Answering…');
  first.end({ text: 'blue light most.' }, ENDING);
  await shows(page, 'Air scatters blue light most.');
  await shows(page, '58 tokens, 44.3 tokens a second, the first after 0.21 s');
  await field.fill('And at sunset?');
  await field.press('Enter');
  const second = await chatStream(fake, 2);
  expect(second.body).toEqual({
    kind: 'ModelServing',
    namespace: 'chat',
    name: 'llama-70b',
    messages: [
      { role: 'user', content: 'Why is the sky blue?' },
      { role: 'assistant', content: 'Air scatters blue light most.' },
      { role: 'user', content: 'And at sunset?' },
    ],
  });
  second.write({ text: 'Then it is' });
  await shows(page, 'Then it is');
  await page.getByRole('button', { name: 'Stop' }).click();
  await shows(page, 'Stopped.');
  await expect.poll(() => second.isOpen).toBe(false);
  expect(problems).toEqual([]);
});

test('an answer continues while somebody looks at the logs; an error and a lost connection are said', async () => {
  const { page, fake } = await look({ route: VIEWS.chat });
  const ask = async (words: string, number: number) => {
    await page.getByLabel('Question').fill(words);
    await page.getByRole('button', { name: 'Send' }).click();
    return chatStream(fake, number);
  };
  const first = await ask('one', 1);
  await page.getByRole('link', { name: 'Logs' }).click();
  first.end({ text: 'while you were away' }, ENDING);
  await logStream(fake);
  await page.getByRole('link', { name: 'Chat' }).click();
  await shows(page, 'while you were away');
  (await ask('two', 2)).end({ error: 'the pod llama-70b-7d9c5f-4xk2p is gone' });
  await shows(page, 'the pod llama-70b-7d9c5f-4xk2p is gone');
  (await ask('three', 3)).end({ text: 'half an' });
  await shows(page, 'The answer ended early');
  expect((await ask('four', 4)).body).toMatchObject({ messages: { length: 3 } });
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Clear' }).click();
  await shows(page, 'Type a question for llama-70b.');
});
