import { Command, InvalidArgumentError, Option } from 'commander';
import type { AgentOptions } from '../init/agent.ts';
import type { ServingOptions } from '../init/serving.ts';
import type { TrainingOptions } from '../init/training.ts';
import type { Io } from '../io.ts';
import { count, GROUPS, withExamples } from '../options.ts';

/** `trunnion init`: a resource to begin with, whose sizes it explains. */
export function initCommand(io: Io): Command {
  const command = new Command('init')
    .helpGroup(GROUPS.start)
    .summary('Write a resource to begin with, with sizes that it explains.')
    .description('Write a resource to begin with, and explain its sizes.');
  const serving = command
    .command('serving <name>')
    .description('Write a ModelServing: GPUs, volume and memory by what the model needs.')
    .option('--model <uri>', 'hf://OWNER/MODEL, or any other URI of model.uri')
    .option('--gpu <name>', 'A100-80GB, H100, L4, ...; none is for CPUs alone')
    .option('--gpus <number>', 'GPUs of one replica (default: the fewest on which it fits)', count)
    .option('--max-len <tokens>', 'longest request, its answer included (default: 8192, on CPUs 4096)', tokens)
    .option('--requests <number>', 'requests of that length to hold at once', count)
    .option('--replicas <number>', 'replicas', count, 1)
    .option('--parameters <count>', 'parameters of the model, for instance 7B, where nothing else tells them')
    .option('--config <path>', "the model's config.json, or a folder with it (default: asked from the Hub)")
    .option('--secret <name>', 'Secret whose key HF_TOKEN, or keys of a cloud, the fetch needs')
    .action(async (name: string, options: ServingOptions) =>
      (await import('../init/serving.ts')).initServing(io, name, options),
    );
  const training = command
    .command('training <name>')
    .description('Write a DistributedTraining.')
    .option('--image <image>', 'the image with your program in it')
    .addOption(new Option('--framework <name>', 'what it is written in').choices(['pytorch', 'jax']).default('pytorch'))
    .option('--gpu <name>', 'A100-80GB, H100, L4, ...; none is for CPUs alone')
    .option('--gpus <number>', 'GPUs of one worker', count, 1)
    .option('--workers <number>', 'workers', count, 1)
    .action(async (name: string, options: TrainingOptions) =>
      (await import('../init/training.ts')).initTraining(io, name, options),
    );
  const agent = command
    .command('agent <name>')
    .description('Write an AgentService.')
    .option('--image <image>', 'the image with your agent in it')
    .option('--model-ref <name>', 'the ModelServing of the same namespace that it asks')
    .option('--model <name>', 'the model, where another host serves it, for instance gpt-4o')
    .action(async (name: string, options: AgentOptions) =>
      (await import('../init/agent.ts')).initAgent(io, name, options),
    );
  for (const verb of [serving, training, agent]) {
    verb
      .option('-o, --output <file>', 'file to write (default: stdout)')
      .option('--force', 'replace the file where it is there');
  }
  withExamples(
    serving,
    'trunnion init serving qwen --model hf://Qwen/Qwen2.5-7B-Instruct --gpu A100-80GB -o qwen.yaml',
    'trunnion init serving qwen --model hf://Qwen/Qwen2.5-0.5B-Instruct --gpu none',
    'trunnion init serving mine --model s3://models/mine/ --config ./mine --gpu H100 --gpus 2 --max-len 32768',
  );
  withExamples(training, 'trunnion init training resnet --image registry.example.com/resnet:1 --gpu L4 --workers 4');
  withExamples(agent, 'trunnion init agent helper --image registry.example.com/helper:1 --model-ref qwen');
  return withExamples(
    command,
    'trunnion init serving qwen --model hf://Qwen/Qwen2.5-7B-Instruct --gpu L4 | kubectl apply -f -',
    'trunnion init agent helper --image registry.example.com/helper:1 --model-ref qwen -o helper.yaml',
  );
}

/** Reads a number of tokens from the command line: `8192`, or `8k`. */
function tokens(text: string): number {
  const [, digits = '', thousands] = /^(\d{1,8})(k)?$/i.exec(text) ?? [];
  const value = Number(digits) * (thousands === undefined ? 1 : 1024);
  if (value >= 1) return value;
  throw new InvalidArgumentError('It must be a number of tokens, for instance 8192 or 8k.');
}
