import type { ResourceStatus } from '../../../status/types.ts';

/** What a resource says of itself. */
export function Conditions({ conditions }: Pick<ResourceStatus, 'conditions'>) {
  return (
    <section class="panel">
      <h2>Conditions</h2>
      {conditions.length === 0 ? (
        <p class="empty">No operator has written one yet.</p>
      ) : (
        <dl class="conditions">
          {conditions.map(({ type, status, reason, message }) => (
            <div key={type}>
              <dt>
                <span class="name">{type}</span> <span class={`status ${status.toLowerCase()}`}>{status}</span>{' '}
                <span class="reason">{reason}</span>
              </dt>
              {message !== '' && (
                <dd>
                  <bdi>{message}</bdi>
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
