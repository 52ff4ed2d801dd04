const NO_CLOUD = 'There is no cloud here: what it makes is of the cloud.';
const INSTALLING = 'test/install/values.test.ts installs by such a file; the walk has no image to pull.';
const NO_ARGO_CD = 'There is no Argo CD here, whose app it is.';
const NO_FLUX = 'There is no Flux here, whose Kustomization it is.';
const NO_KARPENTER = 'There is no Karpenter here, whose pool it is.';
const NO_WEIGHTS = 'It takes a bucket with weights, a GPU and an engine.';

/** Commands of the pages about tools of GitOps and about clouds. */
export const ELSEWHERE = (
  [
    ['docs/recipes/argo-cd.md', 'kubectl apply -f operator-app.yaml -f models-app.yaml', NO_ARGO_CD],
    ['docs/recipes/argo-cd.md', 'argocd app wait trunnion models --health --timeout 1800', NO_ARGO_CD],
    ['docs/recipes/flux.md', 'kubectl apply -f operator-sync.yaml -f models-sync.yaml', NO_FLUX],
    [
      'docs/recipes/flux.md',
      'kubectl wait -n flux-system --for=condition=Ready kustomization/models --timeout=30m',
      NO_FLUX,
    ],
    ['docs/recipes/karpenter.md', 'kubectl apply -f nodepool.yaml', NO_KARPENTER],
    ['docs/recipes/eks.md', 'aws eks create-addon --cluster-name prod --addon-name eks-pod-identity-agent', NO_CLOUD],
    [
      'docs/recipes/eks.md',
      'eksctl create podidentityassociation --cluster prod --namespace kube-system --service-account-name ebs-csi-controller-sa --permission-policy-arns arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy',
      NO_CLOUD,
    ],
    ['docs/recipes/eks.md', 'aws eks create-addon --cluster-name prod --addon-name aws-ebs-csi-driver', NO_CLOUD],
    [
      'docs/recipes/eks.md',
      'helm upgrade -i nvdp nvidia-device-plugin --repo https://nvidia.github.io/k8s-device-plugin --namespace kube-system',
      NO_CLOUD,
    ],
    ['docs/recipes/eks.md', 'trunnion install --values values.yaml', INSTALLING],
    [
      'docs/recipes/eks.md',
      'aws iam create-role --role-name qwen-weights --assume-role-policy-document file://pods.json',
      NO_CLOUD,
    ],
    [
      'docs/recipes/eks.md',
      'aws iam put-role-policy --role-name qwen-weights --policy-name read-models --policy-document file://read-models.json',
      NO_CLOUD,
    ],
    [
      'docs/recipes/eks.md',
      'aws eks create-pod-identity-association --cluster-name prod --namespace eks-recipe --service-account qwen --role-arn arn:aws:iam::111122223333:role/qwen-weights',
      NO_CLOUD,
    ],
    [
      'docs/recipes/eks.md',
      'kubectl wait -n eks-recipe --for=condition=Ready modelserving/qwen --timeout=30m',
      NO_WEIGHTS,
    ],
    ['docs/recipes/eks.md', 'kubectl port-forward -n eks-recipe service/qwen 8000', NO_WEIGHTS],
    [
      'docs/recipes/eks.md',
      `curl -s http://127.0.0.1:8000/v1/chat/completions -H 'Content-Type: application/json' -d '{"model": "qwen", "messages": [{"role": "user", "content": "Say hello."}]}'`,
      NO_WEIGHTS,
    ],
    [
      'docs/recipes/gke.md',
      'gcloud container node-pools create l4 --cluster prod --location europe-west4 --node-locations europe-west4-a --machine-type g2-standard-8 --accelerator type=nvidia-l4,count=1,gpu-driver-version=latest --workload-metadata=GKE_METADATA --enable-autoscaling --num-nodes 0 --min-nodes 0 --max-nodes 2 --disk-size 200',
      NO_CLOUD,
    ],
    ['docs/recipes/gke.md', 'trunnion install --values values.yaml', INSTALLING],
    [
      'docs/recipes/gke.md',
      'gcloud storage buckets add-iam-policy-binding gs://acme-models --role roles/storage.objectViewer --member principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/acme-ai.svc.id.goog/subject/ns/gke-recipe/sa/qwen',
      NO_CLOUD,
    ],
    [
      'docs/recipes/gke.md',
      'kubectl wait -n gke-recipe --for=condition=Ready modelserving/qwen --timeout=30m',
      NO_WEIGHTS,
    ],
    ['docs/recipes/gke.md', 'kubectl port-forward -n gke-recipe service/qwen 8000', NO_WEIGHTS],
    [
      'docs/recipes/gke.md',
      `curl -s http://127.0.0.1:8000/v1/chat/completions -H 'Content-Type: application/json' -d '{"model": "qwen", "messages": [{"role": "user", "content": "Say hello."}]}'`,
      NO_WEIGHTS,
    ],
    [
      'docs/recipes/aks.md',
      'az aks nodepool add --resource-group ai --cluster-name prod --name a100 --node-vm-size Standard_NC24ads_A100_v4 --node-taints sku=gpu:NoSchedule --labels gpu=a100 --enable-cluster-autoscaler --node-count 0 --min-count 0 --max-count 2 --node-osdisk-size 200',
      NO_CLOUD,
    ],
    [
      'docs/recipes/aks.md',
      `helm upgrade -i nvdp nvidia-device-plugin --repo https://nvidia.github.io/k8s-device-plugin --namespace kube-system --set-json 'tolerations=[{"key":"sku","operator":"Equal","value":"gpu","effect":"NoSchedule"}]'`,
      NO_CLOUD,
    ],
    ['docs/recipes/aks.md', 'trunnion install --values values.yaml', INSTALLING],
    ['docs/recipes/aks.md', 'az identity create --resource-group ai --name qwen-weights', NO_CLOUD],
    [
      'docs/recipes/aks.md',
      'az identity federated-credential create --resource-group ai --identity-name qwen-weights --name qwen --issuer "$(az aks show --resource-group ai --name prod --query oidcIssuerProfile.issuerUrl -o tsv)" --subject system:serviceaccount:aks-recipe:qwen --audiences api://AzureADTokenExchange',
      NO_CLOUD,
    ],
    [
      'docs/recipes/aks.md',
      'az role assignment create --role "Storage Blob Data Reader" --assignee-principal-type ServicePrincipal --assignee-object-id "$(az identity show --resource-group ai --name qwen-weights --query principalId -o tsv)" --scope "$(az storage account show --resource-group ai --name acmeweights --query id -o tsv)"',
      NO_CLOUD,
    ],
    [
      'docs/recipes/aks.md',
      'az identity show --resource-group ai --name qwen-weights --query clientId -o tsv',
      NO_CLOUD,
    ],
    [
      'docs/recipes/aks.md',
      'kubectl wait -n aks-recipe --for=condition=Ready modelserving/qwen --timeout=30m',
      NO_WEIGHTS,
    ],
    ['docs/recipes/aks.md', 'kubectl port-forward -n aks-recipe service/qwen 8000', NO_WEIGHTS],
    [
      'docs/recipes/aks.md',
      `curl -s http://127.0.0.1:8000/v1/chat/completions -H 'Content-Type: application/json' -d '{"model": "qwen", "messages": [{"role": "user", "content": "Say hello."}]}'`,
      NO_WEIGHTS,
    ],
  ] as const
).map(([page, command, cannotRun]) => ({ page, command, cannotRun }));
