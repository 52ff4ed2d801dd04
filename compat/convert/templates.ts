import type { Fields } from './fields.ts';

/** What KServe fills in where a text has `{{ … }}`, by what stands between the braces. */
export type Templates = Readonly<Record<string, string | undefined>>;

const TEMPLATE = /\{\{([^{}]*)\}\}/g;

/** The values of a resource of KServe's that its templates name: its own name, and that of its model. */
export function templatesOf(fields: Fields): Templates {
  const [name, model] = ['metadata.name', 'spec.model.name'].map((path) => fields.peek(path));
  const own = typeof name === 'string' ? name : undefined;
  return { '.Name': own, '.ObjectMeta.Name': own, '.Spec.Model.Name': typeof model === 'string' ? model : own };
}

/** A text with what its templates stand for; what they stand for otherwise is told. */
export function filledIn(text: string, templates: Templates, note: (message: string) => void): string {
  const written = text.replaceAll(
    TEMPLATE,
    (whole, path: string) => templates[path.replaceAll(/^-|-$/g, '').trim()] ?? whole,
  );
  if (written !== text) note('its template is filled in');
  if (written.includes('{{')) note('has a template, which nothing fills in here: write the value');
  return written;
}
