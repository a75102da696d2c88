package main

import (
	"fmt"
	"strings"

	"google.golang.org/genai"
)

func googleClient(p place, key string) *genai.Client {
	once := int32(1)
	return must(genai.NewClient(background, &genai.ClientConfig{
		APIKey:      key,
		Backend:     genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{BaseURL: p.url, RetryOptions: &genai.HTTPRetryOptions{Attempts: &once}},
	}))
}

// spoken is what came, whole or in pieces.
type spoken struct {
	answers []*genai.GenerateContentResponse
	parts   []*genai.Part
}

func (s *spoken) add(answer *genai.GenerateContentResponse) {
	s.answers = append(s.answers, answer)
	for _, candidate := range answer.Candidates {
		if candidate.Content != nil {
			s.parts = append(s.parts, candidate.Content.Parts...)
		}
	}
}

func (s *spoken) said(isThought bool) string {
	text := ""
	for _, part := range s.parts {
		if part.Thought == isThought {
			text += part.Text
		}
	}
	return text
}

func (s *spoken) usage() tokens {
	of := s.answers[len(s.answers)-1].UsageMetadata
	return tokens{int64(of.PromptTokenCount), int64(of.CandidatesTokenCount + of.ThoughtsTokenCount)}
}

// googleScenarios are those of Google's official package.
func googleScenarios(p place) map[string]scenario {
	client := googleClient(p, p.key)
	type config = genai.GenerateContentConfig
	type reader func([]*genai.Content, *config) (*spoken, error)
	user := func(parts ...*genai.Part) []*genai.Content {
		return []*genai.Content{genai.NewContentFromParts(parts, genai.RoleUser)}
	}
	asking := func(name string) []*genai.Content { return user(genai.NewPartFromText(question(name))) }
	ask := func(contents []*genai.Content, of *config) (*spoken, error) {
		answer, err := client.Models.GenerateContent(background, p.model, contents, of)
		if err != nil {
			return nil, err
		}
		whole := &spoken{}
		whole.add(answer)
		return whole, nil
	}
	collect := func(contents []*genai.Content, of *config) (*spoken, error) {
		whole := &spoken{}
		for piece, err := range client.Models.GenerateContentStream(background, p.model, contents, of) {
			if err != nil {
				return nil, err
			}
			whole.add(piece)
		}
		return whole, nil
	}
	chat := func(name string, read reader) scenario {
		return func() tokens {
			answer := must(read(asking(name), nil))
			same(answer.said(false), settings.Answer, "answer")
			same(answer.said(true), "", "thoughts nobody asked for")
			last := answer.answers[len(answer.answers)-1]
			same(last.Candidates[0].FinishReason, genai.FinishReasonStop, "finish reason")
			return answer.usage()
		}
	}
	withTools := func(name string, read reader) scenario {
		return func() tokens {
			of := &config{Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{
				{Name: "lookup", Description: "Weather", ParametersJsonSchema: lookupSchema},
				{Name: "now", Description: "Time", ParametersJsonSchema: noArguments},
			}}}}
			contents := asking(name)
			first := must(read(contents, of))
			calls := []call{}
			results := []*genai.Part{}
			for _, part := range first.parts {
				if made := part.FunctionCall; made != nil {
					args := made.Args
					if args == nil {
						args = map[string]any{}
					}
					calls = append(calls, call{made.Name, args})
					results = append(results, &genai.Part{FunctionResponse: &genai.FunctionResponse{
						ID: made.ID, Name: made.Name, Response: map[string]any{"result": settings.ToolResult},
					}})
				}
			}
			same(calls, callsOf(name), "calls")
			contents = append(contents,
				genai.NewContentFromParts(first.parts, genai.RoleModel),
				genai.NewContentFromParts(results, genai.RoleUser))
			last := must(read(contents, of))
			same(last.said(false), settings.Answer, "answer")
			return last.usage()
		}
	}
	withBytes := func(name, words, kind string, bytes []byte) scenario {
		return func() tokens {
			contents := user(genai.NewPartFromBytes(bytes, kind), genai.NewPartFromText(question(name)))
			same(must(ask(contents, nil)).said(false), words, "answer")
			return nil
		}
	}
	reasoning := func(name string, read reader) scenario {
		return func() tokens {
			answer := must(read(asking(name), &config{ThinkingConfig: &genai.ThinkingConfig{IncludeThoughts: true}}))
			same(answer.said(false), settings.Answer, "answer")
			if p.tellsThoughts() {
				same(answer.said(true), settings.Thought, "thought")
			}
			return answer.usage()
		}
	}
	citations := func(name string, read reader) scenario {
		return func() tokens {
			answer := must(read(asking(name), nil))
			same(answer.said(false), settings.Answer, "answer")
			found := false
			for _, piece := range answer.answers {
				for _, candidate := range piece.Candidates {
					if candidate.GroundingMetadata != nil {
						for _, page := range candidate.GroundingMetadata.GroundingChunks {
							found = found || page.Web.URI == settings.Source.URL
						}
					}
				}
			}
			holds(found, "no sources")
			return nil
		}
	}
	failing := func(err error, code int, status, words string) {
		told := raised[genai.APIError](err)
		same([]any{told.Code, told.Status}, []any{code, status}, "error")
		holds(strings.Contains(told.Message, words), "the message is "+told.Message)
	}
	refused := func(name string, code int, status, words string) scenario {
		return func() tokens {
			_, err := ask(asking(name), nil)
			failing(err, code, status, words)
			return nil
		}
	}
	return map[string]scenario{
		"chat":                    chat("chat", ask),
		"stream":                  chat("stream", collect),
		"tools":                   withTools("tools", ask),
		"tools-streamed":          withTools("tools-streamed", collect),
		"parallel-tools":          withTools("parallel-tools", ask),
		"parallel-tools-streamed": withTools("parallel-tools-streamed", collect),
		// The package's own conversation keeps every piece of a stream in its history.
		"conversation": func() tokens {
			chats := must(client.Chats.Create(background, p.model, nil, nil))
			for at, asked := range []string{question("long-history"), "Question 1?", "Question 2?"} {
				said := ""
				for piece, err := range chats.SendMessageStream(background, genai.Part{Text: asked}) {
					said += must(piece, err).Text()
				}
				same(said, fmt.Sprintf("Answer %d.", at), asked)
			}
			return nil
		},
		"structured": func() tokens {
			of := &config{ResponseMIMEType: "application/json", ResponseJsonSchema: formSchema}
			same(parsed(must(ask(asking("structured"), of)).said(false)), form, "form")
			return nil
		},
		"picture":            withBytes("picture", "I see 1 picture.", "image/png", settings.Picture),
		"file":               withBytes("file", "I read 1 file.", "application/pdf", settings.PDF),
		"reasoning":          reasoning("reasoning", ask),
		"reasoning-streamed": reasoning("reasoning-streamed", collect),
		"citations":          citations("citations", ask),
		"citations-streamed": citations("citations-streamed", collect),
		"long-history": func() tokens {
			contents := []*genai.Content{}
			for _, one := range history() {
				role := genai.Role(genai.RoleModel)
				if one.isUser {
					role = genai.RoleUser
				}
				contents = append(contents, genai.NewContentFromText(one.text, role))
			}
			same(must(ask(contents, nil)).said(false), settings.Answer, "answer")
			return nil
		},
		"rate-limited": refused("rate-limited", 429, "RESOURCE_EXHAUSTED", ""),
		"too-long":     refused("too-long", 400, "INVALID_ARGUMENT", "exceeds the maximum number of tokens"),
		"overloaded":   refused("overloaded", 503, "UNAVAILABLE", ""),
		"cut": func() tokens {
			_, err := collect(asking("cut"), nil)
			holds(err != nil, "no error was returned")
			return nil
		},
		"unauthorized": func() tokens {
			_, err := googleClient(p, unknownKey).Models.List(background, nil)
			failing(err, 401, "UNAUTHENTICATED", "")
			return nil
		},
		"unknown-model": func() tokens {
			_, err := client.Models.GenerateContent(background, noModel, asking("chat"), nil)
			failing(err, 404, "NOT_FOUND", "")
			return nil
		},
		"models": func() tokens {
			found := false
			for one, err := range client.Models.All(background) {
				found = found || must(one, err).Name == "models/"+p.model
			}
			holds(found, "the model is not listed")
			return nil
		},
		"embeddings": func() tokens {
			contents := append(genai.Text("one"), genai.Text("two")...)
			answer := must(client.Models.EmbedContent(background, p.model, contents, nil))
			same([]int{len(answer.Embeddings[0].Values), len(answer.Embeddings[1].Values)}, []int{3, 3}, "vectors")
			return nil
		},
	}
}
