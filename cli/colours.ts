/** The colours of images. Their names say what they are for; each stands for another one on a dark screen. */
export const COLOURS = {
  ground: '#ffffff',
  box: '#f0f4fa',
  main: '#3f6098',
  text: '#1f2328',
  muted: '#57606a',
  edge: '#6e7781',
  frame: '#afb8c1',
  best: '#b35900',
  bad: '#cf222e',
  target: '#1a7f37',
} as const;

const DARK: Readonly<Record<keyof typeof COLOURS, string>> = {
  ground: '#0d1117',
  box: '#17202e',
  main: '#7aa2e3',
  text: '#e6edf3',
  muted: '#a5b0bc',
  edge: '#8b96a2',
  frame: '#4b5563',
  best: '#f0a04b',
  bad: '#ff7b72',
  target: '#3fb950',
};

/** The class of an image's root, so that its rules are for nothing else on a page that it is put into. */
export const IMAGE_CLASS = 'trunnion-image';

/** The rules that give an image of class `IMAGE_CLASS` its dark colours where the reader's screen is dark. */
export const DARK_STYLE = `<style>@media (prefers-color-scheme: dark){.${IMAGE_CLASS}{color:${DARK.text};background:${DARK.ground}}${rules().join('')}}</style>`;

function rules(): readonly string[] {
  const root = `.${IMAGE_CLASS}`;
  return (Object.keys(COLOURS) as (keyof typeof COLOURS)[]).flatMap((name) => {
    const [light, dark] = [COLOURS[name], DARK[name]];
    return [`${root} [fill="${light}"]{fill:${dark}}`, `${root} [stroke="${light}"]{stroke:${dark}}`];
  });
}
