// The command pulumi-sdk-generator checks a package schema as Pulumi does, and writes its SDKs for Python, Go and Node.js.
// `pulumi package gen-sdk` does the same with hosts of languages that are in no public module.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-sdk-generator"

// A loader of other packages, of which ours needs none.
type noLoader struct{ schema.ReferenceLoader }

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: %s SCHEMA.json FOLDER", tool))
	}
	for language, generate := range generators {
		// Each of them writes its own settings into what it is given.
		pkg, err := read(os.Args[1])
		if err != nil {
			fail(err)
		}
		files, err := generate(pkg)
		if err != nil {
			fail(fmt.Errorf("%s: %w", language, err))
		}
		if err := write(filepath.Join(os.Args[2], language), files); err != nil {
			fail(err)
		}
	}
}

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage(tool, pkg, nil, noLoader{})
	},
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return golang.GeneratePackage(tool, pkg, nil)
	},
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, noLoader{})
	},
}

func read(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, noLoader{}, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	// A warning is a fault as well: some language would get another name than the others.
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	return pkg, nil
}

func write(folder string, files map[string][]byte) error {
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
