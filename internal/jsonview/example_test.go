package jsonview_test

import (
	"fmt"

	"github.com/toolclip/toolclip/internal/jsonview"
	"github.com/toolclip/toolclip/internal/view"
)

func ExampleView() {
	src := `{"status":"ok","items":[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"},{"id":3,"name":"Cyd"}],"total":3}`
	v := jsonview.New(jsonview.Options{Retain: 80})
	fmt.Fprint(v, src)
	v.End()
	p := v.Plan(view.Limit{Bytes: 80})
	fmt.Println(p.Content)
	for _, o := range p.Omissions {
		fmt.Printf("%s: %d of %d items, bytes %d-%d are missing\n", o.Pointer, o.Shown, o.Total, o.Bytes.Start, o.Bytes.End)
	}
	for _, r := range p.Rest {
		fmt.Printf("to see more: %s from item %d to %d\n", r.Pointer, r.From, r.To)
	}
	// Output:
	// {"status":"ok","items":[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}],"total":3}
	// /items: 2 of 3 items, bytes 67-89 are missing
	// to see more: /items from item 2 to 3
}

func ExampleView_page() {
	src := `{"status":"ok","items":[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"},{"id":3,"name":"Cyd"}],"total":3}`
	v := jsonview.New(jsonview.Options{Retain: 80, Pointer: "/items", Unit: view.Item, From: 1, To: 3})
	fmt.Fprint(v, src)
	v.End()
	p := v.Plan(view.Limit{Bytes: 80})
	fmt.Println(p.Content, p.Pointer, p.Units, "of", p.UnitTotal)
	// Output:
	// [{"id":2,"name":"Bob"},{"id":3,"name":"Cyd"}] /items [{1 3}] of 3
}

func ExampleOutline() {
	o := jsonview.NewOutline(1000)
	fmt.Fprint(o, `{"items":[{"id":1,"name":"Ada"},{"id":2,"name":null}],"total":2}`)
	o.End()
	fmt.Print(o.Plan(view.Limit{Bytes: 1000}).Content)
	// Output:
	// (root) object, 2 members, bytes 0-64
	// /items array, 2 items, bytes 9-53
	// /items/* object ×2, 2 members, bytes 10-52
	// /items/*/id number ×2, bytes 16-39
	// /items/*/name string ×1, null ×1, 3 bytes, bytes 25-51
	// /total number, bytes 62-63
}
