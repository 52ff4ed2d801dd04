/**
 * What keeps a retained volume where the tools of GitOps delete what is not in Git. The operator's has no owner, and the
 * label `app.kubernetes.io/instance` by which Argo CD may track its apps: an app that is called as the resource takes the
 * volume for its own.
 */
export const RETENTION: Readonly<Record<string, string>> = {
  // Argo CD 3.6: isPruningDisabled of gitops-engine's sync_context.go, and shouldBeDeleted of controller/appcontroller.go.
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  // It makes no app OutOfSync either: controller/state.go.
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  // Flux's kustomize-controller 1.10: deleteObjects of internal/controller/kustomization_controller.go.
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};
