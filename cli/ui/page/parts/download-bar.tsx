import type { Download } from '../../api.ts';
import { shownDownload } from '../model/download.ts';

/** How far the weights are. */
export function DownloadBar({ download }: { readonly download: Download }) {
  const { share, words, pace } = shownDownload(download);
  return (
    <section class="panel">
      <h2 id="download">Model weights</h2>
      <p class="uri">
        <bdi>{download.uri}</bdi>
      </p>
      {!download.done && (
        <progress
          aria-labelledby="download"
          aria-describedby="download-words"
          max={1}
          {...(share !== undefined && { value: share })}
        />
      )}
      <p class="figures" id="download-words">
        <span>{words}</span>
        <span>{pace}</span>
      </p>
    </section>
  );
}
