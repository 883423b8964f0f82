package envelope

import (
	"reflect"
	"strings"

	"github.com/toolclip/toolclip/coverage"
)

// clean removes from v, which has been decoded, every name that is not exactly that
// of a field of t, at any depth. It removes every empty list and every count that is
// unknown, so that there is one way to say nothing. Maps in t are left alone.
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
			if !known || (isList && len(list) == 0) || (field == countType && saysNothing(value)) {
				delete(m, name)
				continue
			}
			clean(value, field)
		}
	}
}

var countType = reflect.TypeFor[coverage.Count]()

// saysNothing reports whether a decoded count is unknown, whatever its value.
func saysNothing(count any) bool {
	m, ok := count.(map[string]any)
	if !ok {
		return false // decoding says what is wrong with it
	}
	relation, _ := m["relation"].(string)
	return !coverage.Count{Relation: coverage.Relation(relation)}.Known()
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
