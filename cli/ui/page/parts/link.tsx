import type { ComponentChildren } from 'preact';
import { fragmentOf, keyOf, type Reference, type Route } from '../model/route.ts';

/** A link to another view. */
export function Link({
  to,
  isCurrent,
  children,
  ...rest
}: {
  readonly to: Route;
  readonly isCurrent?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <a href={fragmentOf(to)} {...rest} {...(isCurrent === true && { 'aria-current': 'page' })}>
      {children}
    </a>
  );
}

/** A resource by its name, which leads to it. The keys of the list go from one to the next. */
export function ResourceLink({ of }: { readonly of: Reference }) {
  const { kind, namespace, name } = of;
  return (
    <span class="resource">
      <a
        class="row-link"
        href={fragmentOf({ view: 'resource', tab: 'status', kind, namespace, name })}
        data-row={keyOf(of)}
      >
        <bdi>{name}</bdi>
      </a>{' '}
      <span class="kind">{kind}</span>
    </span>
  );
}
