import { describe, expect, it } from 'vitest';
import { EXPIRED, FrameEditor } from '../../../testing/faults/proxy/frames.ts';
import type { FrameFault } from '../../../testing/faults/proxy/rules.ts';

const frame = (uid: string, version: number): string =>
  JSON.stringify({ type: 'MODIFIED', object: { metadata: { uid, resourceVersion: `${version}` } } });
const bookmark = JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } });
const [a1, a2, b1] = [frame('a', 1), frame('a', 2), frame('b', 1)];

function run(fault: FrameFault, frames: readonly string[]): readonly string[] {
  const editor = new FrameEditor(fault);
  const sent: string[] = [];
  for (const text of frames) {
    const passage = editor.next(text);
    sent.push(...passage.send);
    if (passage.stream !== 'continue') return [...sent, passage.stream];
  }
  return sent;
}

describe('faults of a watch', () => {
  it.each<[string, FrameFault, readonly string[], readonly string[]]>([
    [
      'go blind from a frame, bookmarks not counted, and end with a 410',
      { do: 'loseFrames', from: 1, milliseconds: 50 },
      [a1, bookmark, a2, b1],
      [a1, bookmark, EXPIRED, 'end'],
    ],
    [
      'go blind at the first frame of a type',
      { do: 'loseFrames', from: 0, type: 'DELETED', milliseconds: 50 },
      [a1, a2],
      [a1, a2],
    ],
    ['lose bookmarks', { do: 'dropBookmarks' }, [a1, bookmark, a2], [a1, a2]],
    ['repeat frames', { do: 'repeatFrames' }, [a1, b1], [a1, a1, b1, b1]],
    ['send an old state after a new one', { do: 'replayOldFrames' }, [a1, b1, a2], [a1, b1, a2, a1]],
    ['swap frames', { do: 'swapFrames' }, [a1, a2, b1], [a2, a1]],
    ['end a stream cleanly', { do: 'endStream', after: 1, how: 'clean' }, [a1, a2], [a1, 'end']],
    ['reset a stream', { do: 'endStream', after: 0, how: 'reset' }, [a1], ['reset']],
    [
      'cut a frame in its middle',
      { do: 'endStream', after: 0, how: 'cut' },
      [a1],
      [a1.slice(0, Math.floor(a1.length / 2)), 'reset'],
    ],
    ['put a frame of their own in', { do: 'insertFrame', after: 1, frame: '{oops' }, [a1, a2], [a1, '{oops', a2]],
    ['freeze a stream', { do: 'freezeStream', after: 1 }, [a1, a2], [a1, 'freeze']],
  ])('%s', (_, fault, came, sent) => {
    expect(run(fault, came)).toEqual(sent);
  });

  it('delay frames, bookmarks among them', () => {
    const editor = new FrameEditor({ do: 'delayFrames', milliseconds: 30 });
    expect([a1, bookmark].map((text) => editor.next(text))).toEqual([
      { send: [a1], stream: 'continue', afterMs: 30 },
      { send: [bookmark], stream: 'continue', afterMs: 30 },
    ]);
  });

  it('lose all that comes while they are blind', () => {
    const editor = new FrameEditor({ do: 'loseFrames', from: 1, milliseconds: 30 });
    const passages = [a1, a2, b1].map((text) => editor.next(text));
    expect(passages[1]).toEqual({ send: [EXPIRED], stream: 'end', afterMs: 30 });
    expect(passages[2]).toEqual({ send: [], stream: 'continue' });
  });

  it('freeze a stream for a while, where that is said', () => {
    const editor = new FrameEditor({ do: 'freezeStream', after: 0, milliseconds: 30 });
    expect(editor.next(a1)).toEqual({ send: [], stream: 'freeze', thawMs: 30 });
  });

  it('lose nothing of the list that a stream begins with', () => {
    const editor = new FrameEditor({ do: 'loseFrames', from: 0, milliseconds: 30 }, true);
    const end = JSON.stringify({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    expect([a1, b1, end].flatMap((text) => editor.next(text).send)).toEqual([a1, b1, end]);
    expect(editor.next(a2).send).toEqual([EXPIRED]);
  });
});
