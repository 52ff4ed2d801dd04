import { type Api, bodyOf, type Question } from './question.ts';
import { MODELS_PATH, type Target } from './target.ts';

/** The port of this machine that the lines use. */
const LOCAL_PORT = 8_000;

/** What is printed in place of asking. */
export interface Lines {
  readonly portForward: string;
  readonly curl: string;
  /** Lists the models; where there may be several. */
  readonly models?: string;
}

/** What the lines depend on. */
export interface Printed {
  readonly target: Target;
  readonly api: Api;
  readonly question: Question;
  /** Arguments by which kubectl finds the cluster. */
  readonly cluster: readonly string[];
  /** The variable that has the key. */
  readonly keyVariable?: string | undefined;
}

/** The lines by which kubectl and curl ask the same. A key stays where it is: what is printed may be pasted elsewhere. */
export function linesOf({ target, api, question, cluster, keyVariable }: Printed): Lines {
  const { namespace, name, servicePort, listsModels } = target;
  const kubectl = `kubectl${cluster.map((argument) => ` ${shellWord(argument)}`).join('')}`;
  const header = authorization(target, kubectl, keyVariable);
  const url = `http://127.0.0.1:${LOCAL_PORT}`;
  const body = shellWord(JSON.stringify(bodyOf(api, question)));
  return {
    portForward: `${kubectl} port-forward -n ${namespace} service/${name} ${LOCAL_PORT}:${servicePort}`,
    curl: `curl -N ${shellWord(`${url}${api.path}`)} -H 'Content-Type: application/json'${header} -d ${body}`,
    ...(listsModels && { models: `curl ${url}${MODELS_PATH}${header}` }),
  };
}

function authorization({ namespace, key }: Target, kubectl: string, variable: string | undefined): string {
  if (variable !== undefined) return ` -H "Authorization: Bearer $${variable}"`;
  if (key.from === 'none') return '';
  if (key.from !== 'secret') return ' -H "Authorization: Bearer $API_KEY"';
  const path = shellWord(`{.data.${key.key.replaceAll('.', String.raw`\.`)}}`);
  const secret = `${kubectl} get secret -n ${namespace} ${key.secret} -o jsonpath=${path} | base64 -d`;
  return ` -H "Authorization: Bearer $(${secret})"`;
}

/** A text as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
