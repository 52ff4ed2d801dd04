import { describe, expect, it } from 'vitest';
import { EXPIRED } from '../../../testing/faults/proxy/frames.ts';
import { History } from '../../../testing/faults/proxy/history.ts';

const frame = (type: string, uid: string, version: number): string =>
  JSON.stringify({ type, object: { apiVersion: 'v1', kind: 'Pod', metadata: { uid, resourceVersion: `${version}` } } });

const reported = (history: History, stream: string, time: number) => {
  const past = history.at(stream, time);
  return past?.frames.map((text) => {
    const { type, object } = JSON.parse(text) as {
      type: string;
      object: { metadata: { uid?: string; resourceVersion: string } };
    };
    return `${type} ${object.metadata.uid ?? '-'}@${object.metadata.resourceVersion}`;
  });
};

describe('the history of what watches told', () => {
  const history = new History();
  history.note('pods', frame('ADDED', 'a', 5), 10);
  history.note('jobs', frame('ADDED', 'j', 7), 20);
  history.note('pods', frame('MODIFIED', 'a', 9), 30);
  history.note('pods', frame('ADDED', 'b', 10), 30);
  history.note('pods', frame('DELETED', 'a', 12), 40);

  it.each([
    ['before anything was told, nothing', 'pods', 5, undefined],
    ['one object', 'pods', 10, ['ADDED a@5', 'BOOKMARK -@5']],
    ['the version of its own stream, whatever another was told by then', 'pods', 25, ['ADDED a@5', 'BOOKMARK -@5']],
    ['the newest state of each object', 'pods', 30, ['ADDED a@9', 'ADDED b@10', 'BOOKMARK -@10']],
    ['what is gone no more', 'pods', 50, ['ADDED b@10', 'BOOKMARK -@12']],
    ['nothing of a stream of which nobody knows that it was empty', 'jobs', 15, undefined],
  ])('shows %s', (_, stream, time, frames) => {
    expect(reported(history, stream, time)).toEqual(frames);
  });

  it('knows when something was, and what was there before it ended', () => {
    const run = new History();
    expect(run.timeOf({ beforeTheLastEndOf: 'pods' }, 100)).toBeUndefined();
    run.note('/api/v1/pods a=b', frame('ADDED', 'a', 5), 10);
    run.note('/api/v1/pods a=b', frame('DELETED', 'a', 6), 30);
    expect(run.timeOf({ beforeTheLastEndOf: 'pods' }, 100)).toBe(29);
    expect(run.timeOf({ beforeTheLastEndOf: 'jobs' }, 100)).toBeUndefined();
    expect(run.timeOf({ millisecondsAgo: 60 }, 100)).toBe(40);
  });

  it('has each state once, however often it was reported', () => {
    history.note('pods', frame('ADDED', 'a', 9), 60);
    expect(reported(history, 'pods', 70)).toEqual(['ADDED b@10', 'BOOKMARK -@12']);
  });

  it('is over once where the server cannot continue from it: a client that lists again is told what is', () => {
    const run = new History();
    run.note('pods', frame('ADDED', 'a', 5), 10);
    run.note('jobs', frame('ADDED', 'j', 6), 10);
    run.note('pods', EXPIRED, 20);
    expect(reported(run, 'jobs', 15)).toEqual(['ADDED j@6', 'BOOKMARK -@6']);
    expect(reported(run, 'pods', 15)).toBeUndefined();
    expect(reported(run, 'pods', 15)).toEqual(['ADDED a@5', 'BOOKMARK -@5']);
  });

  describe('of a list', () => {
    const END = JSON.stringify({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '20', annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });

    it('takes for gone, from then on, what it leaves out: nobody listened when that was deleted', () => {
      const run = new History();
      run.note('pods', frame('ADDED', 'a', 5), 10);
      const listen = run.listener('pods', true);
      listen(frame('ADDED', 'b', 15), 30);
      listen(END, 31);
      expect(reported(run, 'pods', 29)).toEqual(['ADDED a@5', 'BOOKMARK -@5']);
      expect(reported(run, 'pods', 31)).toEqual(['ADDED b@15', 'BOOKMARK -@20']);
    });

    it('that was empty, continues from where that was, whatever another stream has told: none of its own is left out', () => {
      const run = new History();
      run.listener('pods', true)(END, 10);
      run.note('jobs', frame('ADDED', 'j', 25), 20);
      expect(reported(run, 'pods', 30)).toEqual(['BOOKMARK -@20']);
      run.note('pods', frame('ADDED', 'a', 22), 40);
      expect(reported(run, 'pods', 30)).toEqual(['BOOKMARK -@20']);
      expect(reported(run, 'pods', 40)).toEqual(['ADDED a@22', 'BOOKMARK -@22']);
    });

    it('has no state in between, since its objects come in any order of versions', () => {
      const run = new History();
      const listen = run.listener('pods', true);
      listen(frame('ADDED', 'b', 15), 30);
      listen(frame('ADDED', 'a', 5), 32);
      listen(END, 33);
      listen(frame('DELETED', 'a', 21), 40);
      expect(reported(run, 'pods', 31)).toBeUndefined();
      expect(reported(run, 'pods', 33)).toEqual(['ADDED b@15', 'ADDED a@5', 'BOOKMARK -@15']);
      expect(reported(run, 'pods', 40)).toEqual(['ADDED b@15', 'BOOKMARK -@21']);
    });

    it('is nothing where it is not told to its end, and tells of no other stream', () => {
      const run = new History();
      run.note('jobs', frame('ADDED', 'j', 5), 10);
      run.note('pods', frame('ADDED', 'a', 6), 10);
      run.listener('pods', true)(frame('ADDED', 'b', 15), 30);
      const listen = run.listener('pods', true);
      listen(END, 40);
      expect(reported(run, 'pods', 39)).toEqual(['ADDED a@6', 'BOOKMARK -@6']);
      expect(reported(run, 'pods', 40)).toEqual(['BOOKMARK -@20']);
      expect(reported(run, 'jobs', 40)).toEqual(['ADDED j@5', 'BOOKMARK -@5']);
    });
  });
});

describe('the history of what lists told', () => {
  const PATH = '/apis/apps/v1/namespaces/a/deployments';
  const item = (uid: string, version: number) => ({ metadata: { uid, resourceVersion: `${version}` } });
  const list = (version: number, items: readonly object[], more: object = {}): string =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'DeploymentList',
      metadata: { resourceVersion: `${version}`, ...more },
      items,
    });
  const listed = (history: History, time: number) => {
    const past = history.at(PATH, time);
    return past && (JSON.parse(past.list) as { readonly items: readonly { readonly kind: string }[] });
  };

  it('is answered as a list of the past, with the types that its objects have', () => {
    const run = new History();
    run.list(PATH, list(9, [item('a', 5)]), false, 10);
    run.note(PATH, frame('ADDED', 'b', 12), 20);
    run.list(PATH, list(15, [item('b', 12)]), false, 30);
    expect(listed(run, 5)).toBeUndefined();
    expect(listed(run, 15)).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'DeploymentList',
      metadata: { resourceVersion: '5' },
      items: [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { uid: 'a' } }],
    });
    expect(listed(run, 25)?.items).toHaveLength(2);
    expect(listed(run, 35)).toMatchObject({ metadata: { resourceVersion: '15' }, items: [{ metadata: { uid: 'b' } }] });
  });

  it('takes a page for a part of it, and not for all that there is', () => {
    const run = new History();
    run.list(PATH, list(9, [item('a', 5)]), false, 10);
    run.list(PATH, list(20, [item('b', 12)], { continue: 'more' }), false, 20);
    run.list(PATH, list(20, [item('c', 13)]), true, 20);
    expect(listed(run, 30)?.items).toHaveLength(3);
  });

  it('knows that a list was empty, and where it continues', () => {
    const run = new History();
    run.list(PATH, list(9, []), false, 10);
    expect(run.at(PATH, 20)).toMatchObject({ version: '9' });
    expect(listed(run, 20)?.items).toEqual([]);
  });

  it('has nothing of what is not a list', () => {
    const run = new History();
    run.list(PATH, '{"kind":"Status"}', false, 10);
    run.list(PATH, 'not JSON', false, 10);
    expect(run.at(PATH, 20)).toBeUndefined();
  });
});
