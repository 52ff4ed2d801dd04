import { type AnnotationGroup, under } from './group.ts';
import { BOOLEAN, NAME, NUMBER, type ValueForm } from './values.ts';

const UUID: ValueForm = {
  pattern: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
  allowed: 'a UUID, for instance 6f1d5e1c-0b1e-4c3c-9d0a-3f6f2b9a7e11',
};

const aws: AnnotationGroup = {
  reader: 'Amazon EKS',
  source: 'https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html',
  why: "The role's own trust policy must name this very ServiceAccount. kube2iam's iam.amazonaws.com/role, which asks no role, is left out.",
  keys: under('eks.amazonaws.com', {
    'role-arn': {
      pattern: /^arn:aws[a-z-]{0,16}:iam::[0-9]{1,12}:role\/[A-Za-z0-9+=,.@_/-]{1,512}$/,
      allowed: 'the ARN of a role, for instance arn:aws:iam::123456789012:role/reader',
    },
    'sts-regional-endpoints': BOOLEAN,
    'token-expiration': NUMBER,
  }),
};

const google: AnnotationGroup = {
  reader: 'GKE Workload Identity',
  source: 'https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity',
  why: 'The service account of Google must allow this very ServiceAccount to act as it.',
  keys: {
    'iam.gke.io/gcp-service-account': {
      pattern: /^[a-z0-9-]{1,63}@[a-z0-9.:-]{1,190}$/,
      allowed: 'the address of a service account, for instance reader@project.iam.gserviceaccount.com',
    },
  },
};

const azure: AnnotationGroup = {
  reader: 'Azure Workload Identity',
  source: 'https://azure.github.io/azure-workload-identity/docs/topics/service-account-labels-and-annotations.html',
  why: 'A federated credential must name this very ServiceAccount.',
  keys: under('azure.workload.identity', {
    'client-id': UUID,
    'service-account-token-expiration': NUMBER,
    'tenant-id': UUID,
  }),
};

const alibaba: AnnotationGroup = {
  reader: 'Alibaba Cloud RRSA',
  source: 'https://github.com/AliyunContainerService/ack-pod-identity-webhook',
  why: "The role's own trust policy must name this very ServiceAccount.",
  keys: under('pod-identity.alibabacloud.com', {
    'role-name': NAME,
    'service-account-token-expiration': NUMBER,
  }),
};

/** What gives pods an identity in a cloud, where the cloud checks whom it trusts. */
export const SERVICE_ACCOUNT_GROUPS: readonly AnnotationGroup[] = [aws, google, azure, alibaba];
