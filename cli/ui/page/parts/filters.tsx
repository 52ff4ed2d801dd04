import type { Navigation } from '../io/use-route.ts';
import type { ListRoute } from '../model/route.ts';

/** What narrows a list: words, and a namespace. */
export function Filters({
  route,
  navigation,
  namespaces,
}: {
  readonly route: ListRoute;
  readonly navigation: Navigation;
  readonly namespaces: readonly string[];
}) {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        <span class="unseen">Filter</span>
        <input
          id="filter"
          type="search"
          placeholder="Filter by name, kind, phase or cause"
          autocomplete="off"
          spellcheck={false}
          value={route.filter}
          onInput={({ currentTarget }) => navigation.replace({ ...route, filter: currentTarget.value })}
        />
      </label>
      <label>
        <span class="unseen">Namespace</span>
        <select
          value={route.namespace}
          onChange={({ currentTarget }) => navigation.go({ ...route, namespace: currentTarget.value })}
        >
          <option value="">All namespaces</option>
          {namespaces.map((namespace) => (
            <option key={namespace} value={namespace}>
              {namespace}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}
