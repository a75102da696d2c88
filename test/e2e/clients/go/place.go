package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
)

// settings say where a client calls and what the vendors answer.
var settings struct {
	URL             string            `json:"url"`
	Key             string            `json:"key"`
	Models          map[string]string `json:"models"`
	EmbeddingModels map[string]string `json:"embeddingModels"`
	Answer          string            `json:"answer"`
	Thought         string            `json:"thought"`
	ToolResult      string            `json:"toolResult"`
	Source          struct {
		URL string `json:"url"`
	} `json:"source"`
	Picture     []byte `json:"picture"`
	PDF         []byte `json:"pdf"`
	LongHistory int    `json:"longHistory"`
}

const (
	outputCap  = 9_000
	unknownKey = "sk-nothing"
	noModel    = "no-such-model"
)

var (
	lookupSchema = map[string]any{
		"type": "object",
		"properties": map[string]any{
			"city": map[string]any{"type": "string", "description": "Name of the city"},
			"days": map[string]any{"type": "integer"},
		},
		"required": []string{"city"},
	}
	noArguments = map[string]any{"type": "object", "properties": map[string]any{}}
	formSchema  = map[string]any{
		"type": "object",
		"properties": map[string]any{
			"city":    map[string]any{"type": "string"},
			"degrees": map[string]any{"type": "integer"},
		},
		"required":             []string{"city", "degrees"},
		"additionalProperties": false,
	}
)

// place is one upstream as a client sees it.
type place struct {
	url, key, model, upstream string
}

// tellsThoughts is whether the upstream tells what its model thinks.
func (p place) tellsThoughts() bool { return p.upstream != "chat" }

// tokens are input and output of an answer; nil where a scenario does not look at them.
type tokens []int64

type scenario func() tokens

// wrong is an answer other than the vendor's.
type wrong string

func same(actual, wanted any, what string) {
	if !reflect.DeepEqual(actual, wanted) {
		panic(wrong(fmt.Sprintf("%s: %s instead of %s", what, asJSON(actual), asJSON(wanted))))
	}
}

func holds(is bool, what string) {
	if !is {
		panic(wrong(what))
	}
}

// must gives a value, or ends the scenario with the error.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// raised gives the error of the kind that a client's package has, or ends the scenario.
func raised[E error](err error) E {
	holds(err != nil, "no error was returned")
	found, is := as[E](err)
	holds(is, fmt.Sprintf("the error is a %T: %v", err, err))
	return found
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

func parsed(text string) any {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}

// form is what a structured answer is to hold.
var form any = map[string]any{"city": "Zürich", "degrees": float64(21)}

type call struct {
	Name string
	Args any
}

func callsOf(name string) []call {
	calls := []call{{"lookup", map[string]any{"city": "Zürich", "days": float64(3)}}}
	if strings.HasPrefix(name, "parallel") {
		calls = append(calls, call{"now", map[string]any{}})
	}
	return calls
}

func question(name string) string { return "[" + name + "] How is the weather in Zürich?" }

type turn struct {
	isUser bool
	text   string
}

// history is a long conversation, its last question open.
func history() []turn {
	turns := []turn{}
	for at := range settings.LongHistory {
		asked := fmt.Sprintf("Question %d?", at)
		if at == 0 {
			asked = question("long-history")
		}
		turns = append(turns, turn{true, asked}, turn{false, fmt.Sprintf("Answer %d.", at)})
	}
	return append(turns, turn{true, "And now?"})
}

func readSettings() {
	if err := json.Unmarshal([]byte(os.Getenv("CLIENT_SETTINGS")), &settings); err != nil {
		panic(err)
	}
}
