package main

import (
	"context"
	"encoding/base64"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

var background = context.Background()

func dataURL(kind string, bytes []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(bytes)
}

func openaiClient(p place, key string) openai.Client {
	return openai.NewClient(option.WithAPIKey(key), option.WithBaseURL(p.url+"/v1"), option.WithMaxRetries(0))
}

// chatScenarios are those of the official OpenAI package, chat completions.
func chatScenarios(p place) map[string]scenario {
	client := openaiClient(p, p.key)
	type params = openai.ChatCompletionNewParams
	type message = openai.ChatCompletionMessageParamUnion
	type reader func(params) (*openai.ChatCompletion, error)
	tools := []openai.ChatCompletionToolUnionParam{
		openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "lookup", Parameters: lookupSchema}),
		openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "now", Parameters: noArguments}),
	}
	asking := func(name string) params {
		return params{Model: p.model, Messages: []message{openai.UserMessage(question(name))}}
	}
	ask := func(of params) (*openai.ChatCompletion, error) { return client.Chat.Completions.New(background, of) }
	// The package's own accumulator refuses pieces that do not fit together.
	collect := func(of params) (*openai.ChatCompletion, error) {
		of.StreamOptions.IncludeUsage = openai.Bool(true)
		stream := client.Chat.Completions.NewStreaming(background, of)
		whole := openai.ChatCompletionAccumulator{}
		for stream.Next() {
			holds(whole.AddChunk(stream.Current()), "the accumulator refuses "+stream.Current().RawJSON())
		}
		return &whole.ChatCompletion, stream.Err()
	}
	said := func(answer *openai.ChatCompletion) string { return answer.Choices[0].Message.Content }
	usage := func(answer *openai.ChatCompletion) tokens {
		return tokens{answer.Usage.PromptTokens, answer.Usage.CompletionTokens}
	}
	chat := func(name string, read reader) scenario {
		return func() tokens {
			answer := must(read(asking(name)))
			same(said(answer), settings.Answer, "answer")
			same(answer.Choices[0].FinishReason, "stop", "finish reason")
			holds(answer.Created > 0, "created is missing")
			return usage(answer)
		}
	}
	withTools := func(name string, read reader) scenario {
		return func() tokens {
			of := asking(name)
			of.Tools = tools
			first := must(read(of)).Choices[0]
			same(first.FinishReason, "tool_calls", "finish reason")
			calls := []call{}
			for _, one := range first.Message.ToolCalls {
				calls = append(calls, call{one.Function.Name, parsed(one.Function.Arguments)})
			}
			same(calls, callsOf(name), "calls")
			of.Messages = append(of.Messages, first.Message.ToParam())
			for _, one := range first.Message.ToolCalls {
				of.Messages = append(of.Messages, openai.ToolMessage(settings.ToolResult, one.ID))
			}
			last := must(read(of))
			same(said(last), settings.Answer, "answer")
			return usage(last)
		}
	}
	withPart := func(name, words string, part openai.ChatCompletionContentPartUnionParam) scenario {
		return func() tokens {
			parts := []openai.ChatCompletionContentPartUnionParam{openai.TextContentPart(question(name)), part}
			of := params{Model: p.model, Messages: []message{openai.UserMessage(parts)}}
			same(said(must(ask(of))), words, "answer")
			return nil
		}
	}
	citations := func(name string, read reader) scenario {
		return func() tokens {
			answer := must(read(asking(name)))
			same(said(answer), settings.Answer, "answer")
			pages := answer.Choices[0].Message.Annotations
			holds(len(pages) > 0, "no annotations")
			same(pages[0].URLCitation.URL, settings.Source.URL, "annotation")
			return nil
		}
	}
	failing := func(err error, status int, code string) *openai.Error {
		told := raised[*openai.Error](err)
		same(told.StatusCode, status, "status")
		holds(code == "" || told.Code == code, "the code is "+told.Code)
		return told
	}
	refused := func(name string, status int, code string) scenario {
		return func() tokens {
			_, err := ask(asking(name))
			failing(err, status, code)
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
		"structured": func() tokens {
			of := asking("structured")
			of.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
				JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
					Name: "form", Schema: formSchema, Strict: openai.Bool(true),
				},
			}
			same(parsed(said(must(ask(of)))), form, "form")
			return nil
		},
		"picture": withPart("picture", "I see 1 picture.", openai.ImageContentPart(
			openai.ChatCompletionContentPartImageImageURLParam{URL: dataURL("image/png", settings.Picture)})),
		"file": withPart("file", "I read 1 file.", openai.FileContentPart(
			openai.ChatCompletionContentPartFileFileParam{
				Filename: openai.String("a.pdf"),
				FileData: openai.String(dataURL("application/pdf", settings.PDF)),
			})),
		"reasoning": func() tokens {
			of := asking("reasoning")
			of.ReasoningEffort = shared.ReasoningEffortLow
			of.MaxCompletionTokens = openai.Int(outputCap)
			answer := must(ask(of))
			same(said(answer), settings.Answer, "answer")
			if p.tellsThoughts() {
				told := answer.Choices[0].Message.JSON.ExtraFields["reasoning_content"].Raw()
				same(parsed(told), settings.Thought, "thought")
			}
			return usage(answer)
		},
		"citations": citations("citations", ask),
		"long-history": func() tokens {
			of := params{Model: p.model}
			for _, one := range history() {
				if one.isUser {
					of.Messages = append(of.Messages, openai.UserMessage(one.text))
				} else {
					of.Messages = append(of.Messages, openai.AssistantMessage(one.text))
				}
			}
			same(said(must(ask(of))), settings.Answer, "answer")
			return nil
		},
		"rate-limited": func() tokens {
			_, err := ask(asking("rate-limited"))
			told := failing(err, 429, "")
			holds(told.Response.Header.Get("retry-after") != "", "no Retry-After")
			return nil
		},
		"too-long":   refused("too-long", 400, "context_length_exceeded"),
		"overloaded": refused("overloaded", 503, ""),
		"cut": func() tokens {
			_, err := collect(asking("cut"))
			holds(err != nil, "no error was returned")
			return nil
		},
		"unauthorized": func() tokens {
			other := openaiClient(p, unknownKey)
			_, err := other.Models.List(background)
			failing(err, 401, "")
			return nil
		},
		"unknown-model": func() tokens {
			of := asking("chat")
			of.Model = noModel
			_, err := ask(of)
			failing(err, 404, "model_not_found")
			return nil
		},
		"models": func() tokens {
			found := false
			for _, one := range must(client.Models.List(background)).Data {
				found = found || one.ID == p.model
			}
			holds(found, "the model is not listed")
			return nil
		},
		"embeddings": func() tokens {
			answer := must(client.Embeddings.New(background, openai.EmbeddingNewParams{
				Model: p.model,
				Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"one", "two"}},
			}))
			same([]int{len(answer.Data[0].Embedding), len(answer.Data[1].Embedding)}, []int{3, 3}, "vectors")
			return nil
		},
	}
}
