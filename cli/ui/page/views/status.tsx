import type { Detail } from '../../api.ts';
import { Attempts } from '../parts/attempts.tsx';
import { Conditions } from '../parts/conditions.tsx';
import { DownloadBar } from '../parts/download-bar.tsx';
import { Tree } from '../parts/tree.tsx';

/** How a resource does: what it consists of, and what it says of itself. */
export function Status({ detail, now }: { readonly detail: Detail; readonly now: number }) {
  const { status, download, attempts, isSearch } = detail;
  return (
    <div class="columns">
      <div>
        {download?.done === false && <DownloadBar download={download} />}
        {attempts.length > 0 && <Attempts attempts={attempts} now={now} isSearch={isSearch} />}
        <Tree nodes={status.children} />
      </div>
      <div>
        {status.result !== undefined && (
          <section class="panel">
            <h2>Result</h2>
            <p class="prose">
              <bdi>{status.result}</bdi>
            </p>
          </section>
        )}
        <Conditions conditions={status.conditions} />
        {download?.done === true && <DownloadBar download={download} />}
      </div>
    </div>
  );
}
