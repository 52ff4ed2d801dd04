export type { ChildReference } from './child-types.ts';
export { defineKind } from './define-kind.ts';
export type {
  AskContext,
  AskFor,
  Asks,
  ConstructInput,
  KindResult,
  DefinedKind,
  KindDefinition,
  SpecInput,
  SpecOf,
  StatusOf,
  View,
} from './definition.ts';
export { manage, type ManageOptions } from './manage.ts';
export { pluralOf } from './definition-check.ts';
export { inspected, isInspected, type InspectedOperator } from './inspect.ts';
