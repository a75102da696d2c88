// Command clients runs every client over every upstream and prints one line of JSON per cell.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"

	"github.com/tmc/langchaingo/llms"
)

const atOnce = 4

var clients = map[string]func(place) map[string]scenario{
	"openai-go (chat)":      chatScenarios,
	"openai-go (Responses)": responsesScenarios,
	"anthropic-sdk-go":      anthropicScenarios,
	"genai":                 googleScenarios,
	"langchaingo (openai)": func(p place) map[string]scenario {
		return langchainScenarios(langchainOpenAI(p), llms.ImageURLPart(dataURL("image/png", settings.Picture)))
	},
	"langchaingo (anthropic)": func(p place) map[string]scenario {
		return langchainScenarios(langchainAnthropic(p), llms.BinaryPart("image/png", settings.Picture))
	},
}

type cell struct {
	Client   string `json:"client"`
	Upstream string `json:"upstream"`
	Scenario string `json:"scenario"`
	IsRight  bool   `json:"isRight"`
	Detail   string `json:"detail,omitempty"`
	Usage    tokens `json:"usage"`
}

type job struct {
	cell
	check scenario
}

func as[E error](err error) (found E, is bool) {
	is = errors.As(err, &found)
	return
}

// run plays one scenario: whatever it ends with is the finding.
func (j job) run() (done cell) {
	done = j.cell
	defer func() {
		if fault := recover(); fault != nil {
			done.Detail = fmt.Sprintf("%T: %v", fault, fault)
		}
	}()
	done.Usage = j.check()
	done.IsRight = true
	return
}

// jobs are the scenarios of each client over each upstream, and vectors where the upstream gives them.
func jobs() []job {
	wanted := os.Getenv("CLIENT_ONLY")
	found := []job{}
	for client, scenarios := range clients {
		for upstream, model := range settings.Models {
			if !strings.Contains(client+" over "+upstream, wanted) {
				continue
			}
			at := place{settings.URL, settings.Key, model, upstream}
			for name, check := range scenarios(at) {
				if name == "embeddings" {
					vectors, has := settings.EmbeddingModels[upstream]
					if !has {
						continue
					}
					at.model = vectors
					check = scenarios(at)[name]
				}
				found = append(found, job{cell{Client: client, Upstream: upstream, Scenario: name}, check})
			}
		}
	}
	sort.Slice(found, func(a, b int) bool { return asJSON(found[a].cell) < asJSON(found[b].cell) })
	return found
}

func main() {
	readSettings()
	waiting := make(chan job)
	cells := make(chan cell)
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for one := range waiting {
				cells <- one.run()
			}
		})
	}
	go func() {
		for _, one := range jobs() {
			waiting <- one
		}
		close(waiting)
		workers.Wait()
		close(cells)
	}()
	lines := json.NewEncoder(os.Stdout)
	for done := range cells {
		if err := lines.Encode(done); err != nil {
			panic(err)
		}
	}
}
