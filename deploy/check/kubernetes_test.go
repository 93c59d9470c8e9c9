package check

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	network "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	yamlstream "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// kinds are what a manifest may hold, by apiVersion and kind.
var kinds = map[string]func() any{
	"v1 ServiceAccount":                   func() any { return &core.ServiceAccount{} },
	"v1 ConfigMap":                        func() any { return &core.ConfigMap{} },
	"apps/v1 Deployment":                  func() any { return &apps.Deployment{} },
	"batch/v1 Job":                        func() any { return &batch.Job{} },
	"policy/v1 PodDisruptionBudget":       func() any { return &policy.PodDisruptionBudget{} },
	"networking.k8s.io/v1 NetworkPolicy":  func() any { return &network.NetworkPolicy{} },
	"monitoring.coreos.com/v1 PodMonitor": func() any { return &monitoring.PodMonitor{} },
}

// manifest reads the objects of a file with the types of the Kubernetes API. A field that they do not have is an error.
func manifest(t *testing.T, file string) []any {
	t.Helper()
	var objects []any
	documents := yamlstream.NewYAMLReader(newLines(content(t, file)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects
		}
		var head meta.TypeMeta
		if err == nil {
			err = yaml.Unmarshal(document, &head)
		}
		if err != nil {
			t.Fatal(err)
		}
		newObject, ok := kinds[head.APIVersion+" "+head.Kind]
		if !ok {
			t.Fatalf("%s %s: add it to the kinds", head.APIVersion, head.Kind)
		}
		object := newObject()
		if err := yaml.UnmarshalStrict(document, object); err != nil {
			t.Errorf("%s: %v", head.Kind, err)
		}
		objects = append(objects, object)
	}
}

// objects are those of every manifest.
func objects(t *testing.T) []any {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(deploy, "kubernetes", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("manifests: %v, %v", files, err)
	}
	var all []any
	for _, file := range files {
		all = append(all, manifest(t, "kubernetes/"+filepath.Base(file))...)
	}
	return all
}

// object is the only one of its type.
func object[T any](t *testing.T) T {
	t.Helper()
	for _, o := range objects(t) {
		if o, ok := o.(T); ok {
			return o
		}
	}
	t.Fatalf("there is no %T", *new(T))
	panic("not reached")
}

func readManifest(t *testing.T, file string) {
	for _, o := range manifest(t, file) {
		switch o := o.(type) {
		case *apps.Deployment:
			holdPod(t, o.Spec.Template.Spec)
		case *batch.Job:
			holdPod(t, o.Spec.Template.Spec)
		case *core.ConfigMap:
			for name, data := range o.Data {
				file := filepath.Join(t.TempDir(), name)
				if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
				holdPolicy(t, file)
			}
		}
	}
}

// holdPod holds what each pod must keep to, and its environment against the consumer's flags.
func holdPod(t *testing.T, pod core.PodSpec) {
	t.Helper()
	s := pod.SecurityContext
	if s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil {
		t.Error("the pod may be root, or has no seccomp profile")
	}
	if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
		t.Error("the pod is given a token for the Kubernetes API, which it does not need")
	}
	for _, c := range pod.Containers {
		holdEnvironment(t, c.Name, variables(c))
		s := c.SecurityContext
		if s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem || s.Capabilities == nil ||
			!slices.Contains(s.Capabilities.Drop, "ALL") || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation {
			t.Errorf("%s: want a read-only root, no capabilities and no escalation", c.Name)
		}
		for name, value := range variables(c) {
			mounted := slices.ContainsFunc(c.VolumeMounts, func(m core.VolumeMount) bool { return strings.HasPrefix(value, m.MountPath+"/") })
			if strings.HasPrefix(value, "/") && !mounted {
				t.Errorf("%s: %s is %s, where nothing is mounted", c.Name, name, value)
			}
		}
		for _, m := range c.VolumeMounts {
			if !slices.ContainsFunc(pod.Volumes, func(v core.Volume) bool { return v.Name == m.Name }) {
				t.Errorf("%s mounts %s, which is no volume", c.Name, m.Name)
			}
		}
	}
}

func variables(c core.Container) map[string]string {
	env := map[string]string{}
	for _, e := range c.Env {
		env[e.Name] = e.Value
	}
	return env
}

// TestDeployment holds the bounds of the consumers' pods against the consumer.
func TestDeployment(t *testing.T) {
	d := object[*apps.Deployment](t)
	pod := d.Spec.Template.Spec
	c := pod.Containers[0]
	env := variables(c)
	holdGrace(t, c.Name, time.Duration(*pod.TerminationGracePeriodSeconds)*time.Second, env)
	for what, list := range map[string]core.ResourceList{"limits": c.Resources.Limits, "requests": c.Resources.Requests} {
		holdMemory(t, what, list.Memory().Value(), env)
	}
	if c.LivenessProbe.HTTPGet.Path != "/livez" || c.ReadinessProbe.HTTPGet.Path != "/readyz" {
		t.Errorf("probes ask %s and %s", c.LivenessProbe.HTTPGet.Path, c.ReadinessProbe.HTTPGet.Path)
	}
	for _, port := range []string{c.LivenessProbe.HTTPGet.Port.String(), c.ReadinessProbe.HTTPGet.Port.String(), *object[*monitoring.PodMonitor](t).Spec.PodMetricsEndpoints[0].Port} {
		if !slices.ContainsFunc(c.Ports, func(p core.ContainerPort) bool { return p.Name == port }) {
			t.Errorf("there is no port %s", port)
		}
	}
}

// TestSelectors holds that everything that chooses pods chooses the consumers', and leaves one when pods are moved.
func TestSelectors(t *testing.T) {
	d := object[*apps.Deployment](t)
	pods := labels.Set(d.Spec.Template.Labels)
	budget := object[*policy.PodDisruptionBudget](t)
	wall := object[*network.NetworkPolicy](t)
	watch := object[*monitoring.PodMonitor](t)
	for name, selector := range map[string]*meta.LabelSelector{
		"Deployment": d.Spec.Selector, "PodDisruptionBudget": budget.Spec.Selector, "NetworkPolicy": &wall.Spec.PodSelector,
		"PodMonitor": &watch.Spec.Selector, "topologySpreadConstraints": d.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector,
	} {
		s, err := meta.LabelSelectorAsSelector(selector)
		if err != nil || !s.Matches(pods) || s.Empty() {
			t.Errorf("%s chooses %v, %v", name, s, err)
		}
	}
	if *d.Spec.Replicas <= budget.Spec.MinAvailable.IntVal {
		t.Errorf("%d replicas, of which %d must stay: no machine can be emptied", *d.Spec.Replicas, budget.Spec.MinAvailable.IntVal)
	}
}
