import { CLOUDS, INSTALLING, notRun } from './clouds.ts';

const NO_REPOSITORY = 'There is no Git repository here to push to.';
const NO_ARGO_CD = 'There is no Argo CD here, whose app it is.';
const NO_FLUX = 'There is no Flux here, whose Kustomization it is.';
const NO_KARPENTER = 'There is no Karpenter here, whose pool it is.';
const SIMULATED =
  'A simulated pod has no program that answers; test/unit/cli/chat-run.test.ts and test/unit/cli/logs.test.ts ask such.';

/** Commands of the pages about tools of GitOps, and what only a program in a pod can answer. */
const OTHERS = [
  ...notRun('docs/recipes/argo-cd.md', NO_REPOSITORY, [
    'git add trunnion models values.yaml operator-app.yaml models-app.yaml',
    `git commit -m 'Trunnion, and a model'`,
    'git push',
  ]),
  ...notRun('docs/recipes/argo-cd.md', NO_ARGO_CD, [
    'kubectl apply -f operator-app.yaml -f models-app.yaml',
    `kubectl wait -n argocd --for=jsonpath='{.status.health.status}'=Healthy application/trunnion application/models --timeout=30m`,
    `kubectl patch application models -n argocd --type merge -p '{"metadata":{"finalizers":["resources-finalizer.argocd.argoproj.io"]}}'`,
    'kubectl delete application models -n argocd',
    'kubectl delete application trunnion -n argocd',
  ]),
  ...notRun('docs/recipes/argo-cd.md', SIMULATED, ['trunnion chat qwen -n argo-models "Name the largest planet."']),
  ...notRun('docs/recipes/argo-cd.md', INSTALLING, ['trunnion uninstall']),
  ...notRun('docs/recipes/flux.md', NO_REPOSITORY, [
    'git add trunnion models values.yaml operator-sync.yaml models-sync.yaml',
    `git commit -m 'Trunnion, and a model'`,
    'git push',
  ]),
  ...notRun('docs/recipes/flux.md', NO_FLUX, [
    'kubectl apply -f operator-sync.yaml -f models-sync.yaml',
    'kubectl wait -n flux-system --for=condition=Ready kustomization/models --timeout=30m',
    'kubectl delete kustomization models -n flux-system',
    'kubectl get modelservings,agentservices,distributedtrainings --all-namespaces',
    'kubectl delete kustomization trunnion -n flux-system',
  ]),
  ...notRun('docs/recipes/flux.md', SIMULATED, ['trunnion chat qwen -n flux-models "Name the largest planet."']),
  ...notRun('docs/recipes/hugging-face.md', SIMULATED, ['trunnion chat llama -n models "Name the largest planet."']),
  ...notRun('docs/recipes/karpenter.md', NO_KARPENTER, [
    'kubectl apply -f nodepool.yaml',
    'kubectl wait --for=condition=Ready nodepool/gpu-l4 --timeout=60s',
    'helm upgrade -i nvdp nvidia-device-plugin --repo https://nvidia.github.io/k8s-device-plugin --namespace kube-system',
    'kubectl get nodeclaims',
    'kubectl wait -n karpenter-models --for=condition=Ready modelserving/qwen --timeout=30m',
    'kubectl delete -f nodepool.yaml',
  ]),
  ...notRun('docs/recipes/karpenter.md', SIMULATED, [
    'trunnion chat qwen -n karpenter-models "Name the largest planet."',
  ]),
  ...notRun('docs/recipes/sizes.md', SIMULATED, ['trunnion chat qwen -n models "Name the largest planet."']),
  ...notRun('docs/recipes/your-code.md', SIMULATED, ['trunnion logs try -n training']),
];

/** Commands of the pages about tools of GitOps and about clouds. */
export const ELSEWHERE = [...CLOUDS, ...OTHERS];
