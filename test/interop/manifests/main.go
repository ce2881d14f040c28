// Reads what deploy/ has for Kubernetes and Docker Compose as kustomize, Helm and Compose read it, decodes each object
// strictly into the type of its kind, and prints the objects.
//
//	manifests kustomize FOLDER
//	manifests helm CHART [VALUES...]
//	manifests compose FILE
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: manifests kustomize|helm|compose PATH [VALUES...]")
	}
	switch args[0] {
	case "kustomize":
		built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), args[1])
		if err != nil {
			return err
		}
		text, err := built.AsYaml()
		if err != nil {
			return err
		}
		return check(text)
	case "helm":
		return helm(args[1], args[2:])
	case "compose":
		return compose(args[1])
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// helm lints and renders a chart with the values of the files, as `helm lint --strict` and `helm template` do.
func helm(folder string, files []string) error {
	values := chartutil.Values{}
	for _, file := range files {
		read, err := chartutil.ReadValuesFile(file)
		if err != nil {
			return err
		}
		values = chartutil.CoalesceTables(read, values)
	}
	for _, message := range lint.AllWithKubeVersion(folder, values, "default", nil).Messages {
		if message.Severity >= support.WarningSev {
			return fmt.Errorf("helm lint: %w", message)
		}
	}
	chart, err := loader.Load(folder)
	if err != nil {
		return err
	}
	release := chartutil.ReleaseOptions{Name: "orders", Namespace: "default", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, release, chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	rendered, err := engine.Render(chart, all)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(rendered))
	for name := range rendered {
		if strings.HasSuffix(name, ".yaml") && strings.TrimSpace(rendered[name]) != "" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var text bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&text, "---\n%s\n", rendered[name])
	}
	return check(text.Bytes())
}

// check decodes each document strictly: an unknown kind or field is an error.
func check(text []byte) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		apps.AddToScheme, autoscaling.AddToScheme, core.AddToScheme,
		networking.AddToScheme, policy.AddToScheme, monitoring.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		document = bytes.TrimSpace(bytes.TrimPrefix(document, []byte("---")))
		if len(document) == 0 {
			continue
		}
		if _, _, err := decoder.Decode(document, nil, nil); err != nil {
			return fmt.Errorf("%w, in\n%s", err, document)
		}
		fmt.Printf("---\n%s\n", document)
	}
}

// compose loads a file as `docker compose config` does.
func compose(file string) error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithOsEnv, cli.WithDotEnv)
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	text, err := project.MarshalYAML()
	if err != nil {
		return err
	}
	fmt.Printf("%s", text)
	return nil
}
