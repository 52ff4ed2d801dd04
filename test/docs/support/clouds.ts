/** Commands of a page that nothing here can run, for one reason. */
export const notRun = (page: string, cannotRun: string, commands: readonly string[]) =>
  commands.map((command) => ({ page, command, cannotRun }));

const NO_CLOUD = 'There is no cloud here: what it makes is of the cloud.';
const NO_WEIGHTS = 'It takes a bucket with weights, a GPU and an engine.';
export const INSTALLING = 'test/install/values.test.ts installs by such a file; the walk has no image to pull.';

/** Commands of the pages about clouds. */
export const CLOUDS = [
  ...notRun('docs/recipes/aks.md', NO_CLOUD, [
    'az aks nodepool add --resource-group ai --cluster-name prod --name a100 --node-vm-size Standard_NC24ads_A100_v4 --node-taints sku=gpu:NoSchedule --labels gpu=a100 nvidia.com/gpu.present=true --enable-cluster-autoscaler --node-count 0 --min-count 0 --max-count 2 --node-osdisk-size 200',
    `helm upgrade -i nvdp nvidia-device-plugin --repo https://nvidia.github.io/k8s-device-plugin --namespace kube-system --set-json 'tolerations=[{"key":"sku","operator":"Equal","value":"gpu","effect":"NoSchedule"}]'`,
    'az identity create --resource-group ai --name qwen-weights',
    'az identity federated-credential create --resource-group ai --identity-name qwen-weights --name qwen --issuer "$(az aks show --resource-group ai --name prod --query oidcIssuerProfile.issuerUrl -o tsv)" --subject system:serviceaccount:aks-recipe:qwen --audiences api://AzureADTokenExchange',
    'az role assignment create --role "Storage Blob Data Reader" --assignee-principal-type ServicePrincipal --assignee-object-id "$(az identity show --resource-group ai --name qwen-weights --query principalId -o tsv)" --scope "$(az storage account show --resource-group ai --name acmeweights --query id -o tsv)"',
    'az identity show --resource-group ai --name qwen-weights --query clientId -o tsv',
    'az role assignment delete --role "Storage Blob Data Reader" --assignee "$(az identity show --resource-group ai --name qwen-weights --query principalId -o tsv)" --scope "$(az storage account show --resource-group ai --name acmeweights --query id -o tsv)"',
    'az identity delete --resource-group ai --name qwen-weights',
    'az aks nodepool delete --resource-group ai --cluster-name prod --name a100',
  ]),
  ...notRun('docs/recipes/aks.md', INSTALLING, [
    'trunnion install --values values.yaml',
    'kubectl rollout status -n trunnion-system deployment/trunnion-operator --timeout=180s',
  ]),
  ...notRun('docs/recipes/aks.md', NO_WEIGHTS, [
    'hf download Qwen/Qwen2.5-7B-Instruct --local-dir qwen2.5-7b',
    'rm -r qwen2.5-7b/.cache',
    'az storage blob upload-batch --account-name acmeweights --auth-mode login --destination models --destination-path qwen2.5-7b --source qwen2.5-7b',
    'kubectl wait -n aks-recipe --for=condition=Ready modelserving/qwen --timeout=30m',
    'trunnion chat qwen -n aks-recipe "Name the largest planet."',
  ]),
  ...notRun('docs/recipes/eks.md', NO_CLOUD, [
    'aws eks create-addon --cluster-name prod --addon-name eks-pod-identity-agent',
    'aws eks wait addon-active --cluster-name prod --addon-name eks-pod-identity-agent',
    'eksctl create podidentityassociation --cluster prod --namespace kube-system --service-account-name ebs-csi-controller-sa --permission-policy-arns arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy',
    'aws eks create-addon --cluster-name prod --addon-name aws-ebs-csi-driver',
    'eksctl create nodegroup --cluster prod --name l4 --node-type g6.2xlarge --nodes 1 --nodes-min 0 --nodes-max 2 --node-volume-size 200 --node-labels nvidia.com/gpu.present=true --install-nvidia-plugin=false',
    'helm upgrade -i nvdp nvidia-device-plugin --repo https://nvidia.github.io/k8s-device-plugin --namespace kube-system',
    String.raw`kubectl get nodes -o custom-columns='NAME:.metadata.name,GPUS:.status.allocatable.nvidia\.com/gpu'`,
    'aws iam create-role --role-name qwen-weights --assume-role-policy-document file://pods.json',
    'aws iam put-role-policy --role-name qwen-weights --policy-name read-models --policy-document file://read-models.json',
    'aws eks create-pod-identity-association --cluster-name prod --namespace eks-recipe --service-account qwen --role-arn arn:aws:iam::111122223333:role/qwen-weights',
    `aws eks list-pod-identity-associations --cluster-name prod --namespace eks-recipe --query 'associations[].associationId' --output text`,
    'aws eks delete-pod-identity-association --cluster-name prod --association-id ID',
    'aws iam delete-role-policy --role-name qwen-weights --policy-name read-models',
    'aws iam delete-role --role-name qwen-weights',
    'eksctl delete nodegroup --cluster prod --name l4',
  ]),
  ...notRun('docs/recipes/eks.md', INSTALLING, [
    'trunnion install --values values.yaml',
    'kubectl rollout status -n trunnion-system deployment/trunnion-operator --timeout=180s',
  ]),
  ...notRun('docs/recipes/eks.md', NO_WEIGHTS, [
    'hf download Qwen/Qwen2.5-7B-Instruct --local-dir qwen2.5-7b',
    'aws s3 mb s3://acme-models',
    `aws s3 sync qwen2.5-7b s3://acme-models/qwen2.5-7b/ --exclude '.cache/*'`,
    'kubectl wait -n eks-recipe --for=condition=Ready modelserving/qwen --timeout=30m',
    'trunnion chat qwen -n eks-recipe "Name the largest planet."',
  ]),
  ...notRun('docs/recipes/gke.md', NO_CLOUD, [
    'gcloud container node-pools create l4 --cluster prod --location europe-west4 --node-locations europe-west4-a --machine-type g2-standard-8 --accelerator type=nvidia-l4,count=1,gpu-driver-version=latest --workload-metadata=GKE_METADATA --enable-autoscaling --num-nodes 0 --min-nodes 0 --max-nodes 2 --disk-size 200',
    'gcloud storage buckets create gs://acme-models --location europe-west4',
    'gcloud storage buckets add-iam-policy-binding gs://acme-models --role roles/storage.objectViewer --member principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/acme-ai.svc.id.goog/subject/ns/gke-recipe/sa/qwen',
    'gcloud storage buckets remove-iam-policy-binding gs://acme-models --role roles/storage.objectViewer --member principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/acme-ai.svc.id.goog/subject/ns/gke-recipe/sa/qwen',
    'gcloud container node-pools delete l4 --cluster prod --location europe-west4',
  ]),
  ...notRun('docs/recipes/gke.md', INSTALLING, [
    'trunnion install --values values.yaml',
    'kubectl rollout status -n trunnion-system deployment/trunnion-operator --timeout=180s',
  ]),
  ...notRun('docs/recipes/gke.md', NO_WEIGHTS, [
    'hf download Qwen/Qwen2.5-7B-Instruct --local-dir qwen2.5-7b',
    'gcloud storage cp qwen2.5-7b/* gs://acme-models/qwen2.5-7b/',
    'kubectl wait -n gke-recipe --for=condition=Ready modelserving/qwen --timeout=30m',
    'trunnion chat qwen -n gke-recipe "Name the largest planet."',
  ]),
];
