import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { AgentService, ModelServing } from '../../constructs/index.ts';
import { restrictedNamespace } from './namespace.ts';

/**
 * What a platform team serves: one model on a volume of its own with the agent that asks it, and one shared by replicas
 * that scale with their load.
 */
export class Models extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const namespace = 'models';

    restrictedNamespace(this, namespace);

    const small = new ModelServing(this, 'llama-3-8b', {
      name: 'llama-3-8b',
      namespace,
      spec: {
        model: {
          uri: 'hf://meta-llama/Meta-Llama-3-8B-Instruct@main',
          name: 'llama-3-8b',
          credentials: { secretName: 'hf-token' },
        },
        storage: { size: '40Gi', storageClassName: 'fast' },
        engine: { type: 'vllm', args: ['--max-model-len=8192'] },
        resources: { gpu: 1, cpu: '8', memory: '64Gi' },
        replicas: 1,
      },
    });

    new AgentService(this, 'support-agent', {
      name: 'support-agent',
      namespace,
      spec: {
        image: 'registry.example.com/support-agent:2.0.0',
        model: small,
        temperature: 0.5,
        maxTokens: 2048,
        tools: ['knowledge-base-search', 'ticket-creator', 'calendar-lookup'],
        mcpServers: [{ name: 'tickets', url: 'http://tickets.agents.svc:8080/mcp' }],
        resources: { cpu: '500m', memory: '1Gi' },
        autoscaling: { minReplicas: 2, maxReplicas: 15, targets: { cpuPercent: 70 } },
        expose: { ingress: { host: 'agent.example.com', className: 'nginx' } },
      },
    });

    new ModelServing(this, 'llama-3-70b', {
      name: 'llama-3-70b',
      namespace,
      spec: {
        model: { uri: 's3://models/llama-3-70b/', credentials: { secretName: 's3-reader' } },
        storage: { size: '200Gi', accessMode: 'ReadWriteMany' },
        engine: { type: 'vllm' },
        parallelism: { tensor: 4 },
        resources: { gpu: 4, gpuProduct: 'NVIDIA-A100-SXM4-80GB', memory: '320Gi' },
        autoscaling: {
          minReplicas: 2,
          maxReplicas: 8,
          targets: { ttftMilliseconds: 500, queueDepth: 4 },
          prometheus: { serverAddress: 'http://prometheus.monitoring.svc:9090' },
        },
        // No GPU to spare: one replica goes before its successor comes.
        rollout: { maxSurge: 0, maxUnavailable: 1 },
        drain: { timeoutSeconds: 120 },
        expose: { ingress: { host: 'llama.example.com', className: 'nginx' } },
      },
    });
  }
}
