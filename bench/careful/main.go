// A careful operator on controller-runtime, for the bench to hold Trunnion beside: what a good one in Go costs on the same
// machine. It makes the same objects, from templates that the bench gives it; children as they should be are left alone,
// told by a hash; it writes two statuses and an event. It knows one kind, reads no pods, and explains nothing.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"os"
	"strings"
	"sync/atomic"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	fieldOwner     = client.FieldOwner("careful")
	hashAnnotation = "careful.example.com/hash"
	workers        = 20
)

var agents = schema.GroupVersionKind{Group: "trunnion.dev", Version: "v1alpha1", Kind: "AgentService"}

type reconciler struct {
	client.Client
	recorder record.EventRecorder
	// With a name that stands for that of the resource.
	templates   []string
	placeholder string
}

func main() {
	templates := flag.String("templates", "", "a file with a list of manifests, as JSON")
	placeholder := flag.String("placeholder", "", "what stands for the name of the resource in them")
	namespace := flag.String("namespace", "", "the namespace to watch")
	probes := flag.String("probes", "", "the address to say at whether it is ready")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(*templates, *placeholder, *namespace, *probes); err != nil {
		ctrl.Log.Error(err, "ended")
		os.Exit(1)
	}
}

func run(file, placeholder, namespace, probes string) error {
	templates, err := read(file)
	if err != nil {
		return err
	}
	config := ctrl.GetConfigOrDie()
	// No limit of its own: what is measured is the work.
	config.QPS = -1
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Cache:                  cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		Client:                 client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		Metrics:                server.Options{BindAddress: "0"},
		HealthProbeBindAddress: probes,
	})
	if err != nil {
		return err
	}
	r := &reconciler{mgr.GetClient(), mgr.GetEventRecorderFor("careful"), templates, placeholder}
	agent := &unstructured.Unstructured{}
	agent.SetGroupVersionKind(agents)
	err = ctrl.NewControllerManagedBy(mgr).
		For(agent).
		Owns(&corev1.ServiceAccount{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Service{}).
		Owns(&appsv1.Deployment{}).
		Owns(&networkingv1.NetworkPolicy{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(r)
	if err != nil {
		return err
	}
	// Started once the caches are complete.
	var synced atomic.Bool
	if err := mgr.Add(manager.RunnableFunc(func(context.Context) error { synced.Store(true); return nil })); err != nil {
		return err
	}
	ready := func(*http.Request) error {
		if !synced.Load() {
			return errors.New("the caches are not complete")
		}
		return nil
	}
	if err := mgr.AddReadyzCheck("caches", ready); err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

func read(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var manifests []json.RawMessage
	if err := json.Unmarshal(text, &manifests); err != nil {
		return nil, err
	}
	templates := make([]string, 0, len(manifests))
	for _, manifest := range manifests {
		templates = append(templates, string(manifest))
	}
	return templates, nil
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	agent := &unstructured.Unstructured{}
	agent.SetGroupVersionKind(agents)
	if err := r.Get(ctx, request.NamespacedName, agent); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, template := range r.templates {
		if err := r.make(ctx, agent, strings.ReplaceAll(template, r.placeholder, agent.GetName())); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, r.report(ctx, agent)
}

// Applies a child, unless it is as it should be.
func (r *reconciler) make(ctx context.Context, agent *unstructured.Unstructured, manifest string) error {
	child := &unstructured.Unstructured{}
	if err := child.UnmarshalJSON([]byte(manifest)); err != nil {
		return err
	}
	child.SetNamespace(agent.GetNamespace())
	hash := sha256.Sum256([]byte(manifest))
	annotations := child.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[hashAnnotation] = hex.EncodeToString(hash[:])
	child.SetAnnotations(annotations)
	if err := controllerutil.SetControllerReference(agent, child, r.Scheme()); err != nil {
		return err
	}
	live, err := r.typed(child)
	if err != nil {
		return err
	}
	err = r.Get(ctx, client.ObjectKeyFromObject(child), live)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	if err == nil && live.GetAnnotations()[hashAnnotation] == annotations[hashAnnotation] {
		return nil
	}
	return r.Apply(ctx, client.ApplyConfigurationFromUnstructured(child), fieldOwner, client.ForceOwnership)
}

// An empty object of the type that the cache holds.
func (r *reconciler) typed(child *unstructured.Unstructured) (client.Object, error) {
	object, err := r.Scheme().New(child.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	return object.(client.Object), nil
}

// Writes the status, and an event as the pods serve.
func (r *reconciler) report(ctx context.Context, agent *unstructured.Unstructured) error {
	deployment := &appsv1.Deployment{}
	err := r.Get(ctx, client.ObjectKeyFromObject(agent), deployment)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	phase := "Pending"
	if deployment.Status.AvailableReplicas > 0 {
		phase = "Running"
	}
	before, _, _ := unstructured.NestedString(agent.Object, "status", "phase")
	generation, _, _ := unstructured.NestedInt64(agent.Object, "status", "observedGeneration")
	if before == phase && generation == agent.GetGeneration() {
		return nil
	}
	status := &unstructured.Unstructured{Object: map[string]any{"status": statusOf(phase, agent.GetGeneration())}}
	status.SetGroupVersionKind(agents)
	status.SetNamespace(agent.GetNamespace())
	status.SetName(agent.GetName())
	err = r.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(status), fieldOwner, client.ForceOwnership)
	if err == nil && phase == "Running" {
		r.recorder.Event(agent, corev1.EventTypeNormal, phase, "Its pods serve.")
	}
	return err
}

// About as long as Trunnion's.
func statusOf(phase string, generation int64) map[string]any {
	holds := "False"
	if phase == "Running" {
		holds = "True"
	}
	conditions := []any{}
	for _, kind := range []string{"Accepted", "Ready", "Available", "Progressing"} {
		conditions = append(conditions, map[string]any{
			"type":               kind,
			"status":             holds,
			"reason":             phase,
			"message":            "As many words as tell a person what is waited for.",
			"lastTransitionTime": "2026-01-01T00:00:00Z",
			"observedGeneration": generation,
		})
	}
	return map[string]any{"observedGeneration": generation, "phase": phase, "replicas": int64(1), "conditions": conditions}
}
