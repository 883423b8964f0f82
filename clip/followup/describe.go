package followup

import (
	"fmt"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/internal/searchview"
)

// This file has what a model is told about the tools.

// lifetime is the end of every description.
const lifetime = "Artifacts are kept until the time in the notice; when one has expired, call the tool that gave the result again."

func readDescription(f clip.Followups, _ Limits) string {
	s := "Reads a part of a tool result that was kept whole, where a notice says that only a part was shown. " +
		"Use it with the arguments that the notice names, or to look at the surroundings of a place that you know. " +
		"Lines and items (elements of a JSON array, members of an object) count from 1 and to is included; bytes count from 0 and to is not included. " +
		"Without a position it reads from the beginning; pointer chooses a value inside a JSON document, in which items and bytes then count. " +
		"Where the value is a string that holds text with lines, or JSON again, set inside to true to read what it holds, by line, item or byte; a pointer also leads on into JSON that a string holds. " +
		"Where a notice names a list of parts, each item of it has the artifact to read that part from. " +
		"As much is shown as the budget allows, and the notice says where to read on; a position past the end is answered with how much there is. "
	if f.Search != "" {
		s += "To find something, call " + f.Search + " first instead of reading page by page. "
	}
	return s + lifetime
}

func searchDescription(f clip.Followups, l Limits) string {
	s := "Searches all of a tool result that was kept whole, also what was never shown, and shows the places that match with the number of all matches. " +
		"Use it before you say that something is not in a result, and instead of reading page by page. " +
		"The pattern is an RE2 expression, matched line by line as grep does: (?i) ignores case, there is no lookaround, a match never spans lines; set literal to true to look for a text as it is. JSON is searched as it is written, escapes included. " +
		`A line ends with a line feed, and $ stands before a carriage return there too; where lines end with a carriage return alone, write (^|\r) for ^ and (\r|$) for $. ` +
		`"No match" means that it is not there only where everything was searched, which the notice says; before you conclude, try another spelling or a shorter pattern. `
	if l.Time > 0 {
		s += fmt.Sprintf("A search stops after %v and says how far it came; from, a byte position that counts from 0, goes on there. ", l.Time)
	} else {
		s += "from, a byte position that counts from 0, goes on where an earlier search ended. "
	}
	if f.Read != "" {
		s += "Read more around a match with " + f.Read + ". "
	}
	return s + lifetime
}

// object is a schema of an object with these properties and no others.
func object(required []string, properties map[string]any) map[string]any {
	return map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type":    "object", "properties": properties, "required": required, "additionalProperties": false,
	}
}

func stringly(description string, more ...any) map[string]any {
	return property("string", description, more...)
}

func integer(description string, minimum int) map[string]any {
	return property("integer", description, "minimum", minimum)
}

func property(kind, description string, more ...any) map[string]any {
	p := map[string]any{"type": kind, "description": description}
	for i := 0; i+1 < len(more); i += 2 {
		p[more[i].(string)] = more[i+1]
	}
	return p
}

func artifactProperty() map[string]any {
	return stringly("The artifact, 26 characters, as the notice of the result names it.")
}

func pointerProperty() map[string]any {
	return stringly("A JSON Pointer (RFC 6901) to a value inside a JSON document, such as /items/0/name. Leave it out for the whole.")
}

func insideProperty() map[string]any {
	return property("boolean", "Read what the string at pointer holds, decoded: JSON as JSON, anything else as text.")
}

func readSchema(Limits) map[string]any {
	return object([]string{clip.ArgArtifact}, map[string]any{
		clip.ArgArtifact: artifactProperty(),
		clip.ArgPointer:  pointerProperty(),
		clip.ArgInside:   insideProperty(),
		clip.ArgLine:     integer("The first line to read, from 1. Give one of line, item and byte.", 1),
		clip.ArgItem:     integer("The first element of the array, or member of the object, from 1.", 1),
		clip.ArgByte:     integer("The first byte to read, from 0.", 0),
		clip.ArgTo:       integer("The last line or item to read (included), or the byte to stop before. Leave it out to read to the end.", 1),
	})
}

func searchSchema(l Limits) map[string]any {
	size := l.PatternSize
	if size <= 0 {
		size = searchview.DefaultSize
	}
	return object([]string{clip.ArgArtifact, clip.ArgPattern}, map[string]any{
		clip.ArgArtifact: artifactProperty(),
		clip.ArgPattern:  stringly(fmt.Sprintf("What to look for: an RE2 expression, at most %d bytes.", size), "minLength", 1),
		clip.ArgLiteral:  property("boolean", "Look for the pattern as it is, not as an expression."),
		clip.ArgContext:  property("integer", "Lines to show before and after each match.", "minimum", 0, "maximum", maxContext),
		clip.ArgFrom:     integer("The byte at which to begin, from 0, to go on with an earlier search.", 0),
	})
}
