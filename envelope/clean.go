package envelope

import (
	"reflect"
	"strings"
)

// clean removes from v, which has been decoded, every name that is not exactly that
// of a field of t, at any depth, and every empty list, so that a list is nil or has
// something in it. Maps in t are left alone.
func clean(v any, t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer:
		clean(v, t.Elem())
	case reflect.Slice:
		list, _ := v.([]any)
		for _, item := range list {
			clean(item, t.Elem())
		}
	case reflect.Struct:
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		fields := jsonFields(t)
		for name, value := range m {
			field, known := fields[name]
			list, isList := value.([]any)
			if !known || (isList && len(list) == 0) {
				delete(m, name)
				continue
			}
			clean(value, field)
		}
	}
}

// jsonFields are the types of t's fields by their names in JSON, those of embedded
// structs included.
func jsonFields(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			for n, inner := range jsonFields(f.Type) {
				fields[n] = inner
			}
		case f.IsExported() && name != "":
			fields[name] = f.Type
		}
	}
	return fields
}
