module github.com/toolclip/toolclip/clip/tokencount

go 1.26.0

require (
	github.com/dlclark/regexp2/v2 v2.5.1
	github.com/stretchr/testify v1.12.1
	github.com/tiktoken-go/tokenizer v0.10.0
	github.com/toolclip/toolclip v0.0.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/buger/jsonparser v1.6.1 // indirect
	github.com/charmbracelet/x/ansi v0.11.9 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/gabriel-vasile/mimetype v1.4.16 // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/mattn/go-runewidth v0.0.27 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/text v0.44.0 // indirect
)

replace github.com/toolclip/toolclip => ../..
