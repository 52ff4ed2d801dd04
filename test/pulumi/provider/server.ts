/** The provider as a gRPC server, as the engine's protocol has it. */
import grpc, { type handleUnaryCall, type ServiceError } from '@grpc/grpc-js';
import services from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import messages from '@pulumi/pulumi/proto/provider_pb.js';
import plugins from '@pulumi/pulumi/proto/plugin_pb.js';
import statuses from '@pulumi/pulumi/proto/status_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { InitFailedError, type KubernetesProvider } from './kubernetes.ts';
import type { Change } from './diff.ts';
import { received, sent } from './wire.ts';

/** A server that runs. */
export interface RunningProvider {
  /** For `PULUMI_DEBUG_PROVIDERS=kubernetes:PORT`. */
  readonly port: number;
  readonly stop: () => void;
}

/** Serves a provider to engines on this machine. */
export async function serve(provider: KubernetesProvider): Promise<RunningProvider> {
  const server = new grpc.Server();
  server.addService(services.ResourceProviderService, handlersOf(provider));
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { port, stop: () => server.forceShutdown() };
}

function handlersOf(provider: KubernetesProvider) {
  return {
    attach: answering(() => new empty.Empty()),
    cancel: answering(() => new empty.Empty()),
    getPluginInfo: answering(() => new plugins.PluginInfo().setVersion('4.34.2')),
    checkConfig: answering((request: messages.CheckRequest) =>
      new messages.CheckResponse().setInputs(request.getNews()),
    ),
    diffConfig: answering(() => new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE)),
    configure: answering(() => new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true)),
    check: answering((request: messages.CheckRequest) => {
      const [olds, news] = [received(request.getOlds()), received(request.getNews())];
      const inputs = provider.check(request.getName(), request.getRandomseed_asU8(), olds, news);
      return new messages.CheckResponse().setInputs(sent(inputs));
    }),
    diff: answering(async (request: messages.DiffRequest) => {
      const { changes, replaces, deleteBeforeReplace } = await provider.diff(
        request.getUrn(),
        received(request.getOlds()),
        received(request.getOldInputs()),
        received(request.getNews()),
      );
      const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
      const response = new messages.DiffResponse()
        .setChanges(changes.size > 0 || replaces.length > 0 ? DIFF_SOME : DIFF_NONE)
        .setReplacesList([...replaces])
        .setDeletebeforereplace(deleteBeforeReplace)
        .setHasdetaileddiff(true);
      for (const [path, change] of changes) {
        const kind = kindOf(change, replaces.includes(path));
        response.getDetaileddiffMap().set(path, new messages.PropertyDiff().setKind(kind));
      }
      return response;
    }),
    create: answering(async (request: messages.CreateRequest) => {
      const inputs = received(request.getProperties());
      const { id, properties } = await (request.getPreview()
        ? provider.previewCreate(inputs)
        : provider.create(request.getUrn(), inputs, request.getTimeout()));
      return new messages.CreateResponse().setId(id).setProperties(sent(properties));
    }),
    read: answering(async (request: messages.ReadRequest) => {
      const found = await provider.read(request.getId(), received(request.getInputs()));
      if (found === undefined) return new messages.ReadResponse();
      const { id, properties, inputs } = found;
      return new messages.ReadResponse().setId(id).setProperties(sent(properties)).setInputs(sent(inputs));
    }),
    update: answering(async (request: messages.UpdateRequest) => {
      const inputs = received(request.getNews());
      const properties = await (request.getPreview()
        ? provider.previewUpdate(inputs)
        : provider.update(inputs, request.getTimeout()));
      return new messages.UpdateResponse().setProperties(sent(properties));
    }),
    delete: answering(async (request: messages.DeleteRequest) => {
      await provider.delete(received(request.getProperties()), request.getTimeout());
      return new empty.Empty();
    }),
  };
}

/** A method from a function. */
const answering =
  <Request, Response>(answer: (request: Request) => Response | Promise<Response>): handleUnaryCall<Request, Response> =>
  ({ request }, callback) => {
    Promise.resolve(request)
      .then(answer)
      .then(
        (response) => callback(null, response),
        (error: unknown) => callback(errorOf(error)),
      );
  };

/** An object that is not ready was still made: the engine keeps what its error says of it. */
function errorOf(error: unknown): Partial<ServiceError> {
  const message = error instanceof Error ? error.message : String(error);
  const metadata = new grpc.Metadata();
  if (error instanceof InitFailedError) {
    const { id, properties, inputs } = error.resource;
    const failure = new messages.ErrorResourceInitFailed()
      .setId(id)
      .setProperties(sent(properties))
      .setInputs(sent(inputs))
      .setReasonsList([message]);
    const details = new any.Any();
    details.pack(failure.serializeBinary(), 'pulumirpc.ErrorResourceInitFailed');
    const status = new statuses.Status().setCode(grpc.status.UNKNOWN).setMessage(message).setDetailsList([details]);
    metadata.add('grpc-status-details-bin', Buffer.from(status.serializeBinary()));
  }
  return { code: grpc.status.UNKNOWN, details: message, metadata };
}

function kindOf(change: Change, replaces: boolean): messages.PropertyDiff.Kind {
  const { Kind } = messages.PropertyDiff;
  const kinds = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  } as const;
  return kinds[change][replaces ? 1 : 0];
}
