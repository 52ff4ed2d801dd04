import { Component } from 'preact';
import { colourOf, type ShownLine } from '../model/logs.ts';

interface Props {
  readonly lines: readonly ShownLine[];
  readonly hasTimes: boolean;
  /** Which colour each source has. */
  readonly colours: Map<string, number>;
}

/** Some lines of a log. It is drawn again only when its own lines are others. */
export class LogChunk extends Component<Props> {
  override shouldComponentUpdate({ lines, hasTimes }: Props): boolean {
    return lines !== this.props.lines || hasTimes !== this.props.hasTimes;
  }

  override render({ lines, hasTimes, colours }: Props) {
    return (
      <div>
        {lines.map(({ source, at, text }, index) => (
          <p key={index} class={source === '' ? 'log-note' : 'log-line'}>
            {source !== '' && <span class={`source colour-${colourOf(source, colours)}`}>{source} </span>}
            {hasTimes && at !== '' && <time class="at">{at.slice(11, 23)} </time>}
            <bdi>{text}</bdi>
          </p>
        ))}
      </div>
    );
  }
}
