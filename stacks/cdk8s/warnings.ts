import type { IConstruct } from 'constructs';

/** What constructs below this one warn of, each with the path of its construct. */
export const warningsBelow = (root: IConstruct): readonly string[] =>
  root.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata.filter(({ type }) => type === 'warning').map(({ data }) => `${node.path}: ${String(data)}`),
    );
