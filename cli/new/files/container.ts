import type { Names } from '../names.ts';
import type { ProjectFile } from '../types.ts';

/** The image: Node.js, the packages and the sources. No shell, no package manager, no root. */
export const containerFiles = ({ operator }: Names): readonly ProjectFile[] => [
  {
    path: 'Dockerfile',
    text: `# The image of ${operator}: Node.js with the program and the packages that it needs. It has no shell, no package manager
# and no root. Node.js runs the TypeScript as it is, so nothing is compiled.
FROM docker.io/library/node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY src src

FROM gcr.io/distroless/nodejs24-debian13:nonroot
WORKDIR /app
COPY --from=build /app .
ENV NODE_ENV=production
CMD ["src/operator.ts"]
`,
  },
  { path: '.dockerignore', text: '*\n!package.json\n!package-lock.json\n!src\n' },
];
