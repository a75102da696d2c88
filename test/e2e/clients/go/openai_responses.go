package main

import (
	"encoding/json"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

// responsesScenarios are those of the official OpenAI package, Responses.
func responsesScenarios(p place) map[string]scenario {
	client := openaiClient(p, p.key)
	type params = responses.ResponseNewParams
	type item = responses.ResponseInputItemUnionParam
	type reader func(params) (*responses.Response, error)
	user := func(text string) item {
		return responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser)
	}
	asking := func(name string) params {
		return params{Model: p.model, Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(question(name))}}
	}
	giving := func(items ...item) responses.ResponseNewParamsInputUnion {
		return responses.ResponseNewParamsInputUnion{OfInputItemList: items}
	}
	ask := func(of params) (*responses.Response, error) { return client.Responses.New(background, of) }
	collect := func(of params) (*responses.Response, error) {
		stream := client.Responses.NewStreaming(background, of)
		var whole *responses.Response
		for stream.Next() {
			event := stream.Current()
			if event.Type == "response.completed" {
				whole = &event.Response
			}
		}
		if stream.Err() == nil {
			holds(whole != nil, "the stream ended without response.completed")
		}
		return whole, stream.Err()
	}
	usage := func(answer *responses.Response) tokens {
		holds(answer.Usage.OutputTokensDetails.JSON.ReasoningTokens.Valid(), "no count of reasoning")
		holds(answer.Usage.InputTokensDetails.JSON.CachedTokens.Valid(), "no count of what was cached")
		return tokens{answer.Usage.InputTokens, answer.Usage.OutputTokens}
	}
	chat := func(name string, read reader) scenario {
		return func() tokens {
			answer := must(read(asking(name)))
			same(answer.OutputText(), settings.Answer, "answer")
			same(answer.Status, responses.ResponseStatusCompleted, "status")
			return usage(answer)
		}
	}
	withTools := func(name string, read reader) scenario {
		return func() tokens {
			items := []item{user(question(name))}
			of := params{
				Model:   p.model,
				Store:   openai.Bool(false),
				Include: []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent},
				Tools: []responses.ToolUnionParam{
					responses.ToolParamOfFunction("lookup", lookupSchema, false),
					responses.ToolParamOfFunction("now", noArguments, false),
				},
			}
			of.Input = giving(items...)
			first := must(read(of))
			calls := []call{}
			for _, one := range first.Output {
				items = append(items, param.Override[item](json.RawMessage(one.RawJSON())))
			}
			for _, one := range first.Output {
				if one.Type == "function_call" {
					made := one.AsFunctionCall()
					calls = append(calls, call{made.Name, parsed(made.Arguments)})
					result := responses.ResponseInputItemParamOfFunctionCallOutput(settings.ToolResult)
					result.OfFunctionCallOutput.CallID = openai.String(made.CallID)
					items = append(items, result)
				}
			}
			same(calls, callsOf(name), "calls")
			of.Input = giving(items...)
			last := must(read(of))
			same(last.OutputText(), settings.Answer, "answer")
			return usage(last)
		}
	}
	withPart := func(name, words string, part responses.ResponseInputContentUnionParam) scenario {
		return func() tokens {
			content := responses.ResponseInputMessageContentListParam{
				responses.ResponseInputContentParamOfInputText(question(name)), part,
			}
			of := params{Model: p.model, Input: giving(
				responses.ResponseInputItemParamOfMessage(content, responses.EasyInputMessageRoleUser))}
			same(must(ask(of)).OutputText(), words, "answer")
			return nil
		}
	}
	reasoning := func(name string, read reader) scenario {
		return func() tokens {
			of := asking(name)
			of.Reasoning = shared.ReasoningParam{Effort: shared.ReasoningEffortLow, Summary: shared.ReasoningSummaryAuto}
			answer := must(read(of))
			same(answer.OutputText(), settings.Answer, "answer")
			told := ""
			for _, one := range answer.Output {
				if one.Type == "reasoning" {
					for _, part := range one.AsReasoning().Summary {
						told += part.Text
					}
				}
			}
			if p.tellsThoughts() {
				same(told, settings.Thought, "thought")
			}
			return usage(answer)
		}
	}
	citations := func(name string, read reader) scenario {
		return func() tokens {
			answer := must(read(asking(name)))
			same(answer.OutputText(), settings.Answer, "answer")
			for _, one := range answer.Output {
				if one.Type == "message" {
					pages := one.AsMessage().Content[0].Annotations
					holds(len(pages) > 0, "no annotations")
					same(pages[0].URL, settings.Source.URL, "annotation")
				}
			}
			return nil
		}
	}
	failing := func(of params, status int, code string) *openai.Error {
		_, err := ask(of)
		told := raised[*openai.Error](err)
		same(told.StatusCode, status, "status")
		holds(code == "" || told.Code == code, "the code is "+told.Code)
		return told
	}
	image := responses.ResponseInputContentParamOfInputImage(responses.ResponseInputImageDetailAuto)
	image.OfInputImage.ImageURL = openai.String(dataURL("image/png", settings.Picture))
	file := responses.ResponseInputContentUnionParam{OfInputFile: &responses.ResponseInputFileParam{
		Filename: openai.String("a.pdf"), FileData: openai.String(dataURL("application/pdf", settings.PDF)),
	}}
	return map[string]scenario{
		"chat":                    chat("chat", ask),
		"stream":                  chat("stream", collect),
		"tools":                   withTools("tools", ask),
		"tools-streamed":          withTools("tools-streamed", collect),
		"parallel-tools":          withTools("parallel-tools", ask),
		"parallel-tools-streamed": withTools("parallel-tools-streamed", collect),
		"structured": func() tokens {
			of := asking("structured")
			format := responses.ResponseFormatTextConfigParamOfJSONSchema("form", formSchema)
			format.OfJSONSchema.Strict = openai.Bool(true)
			of.Text = responses.ResponseTextConfigParam{Format: format}
			same(parsed(must(ask(of)).OutputText()), form, "form")
			return nil
		},
		"picture":            withPart("picture", "I see 1 picture.", image),
		"file":               withPart("file", "I read 1 file.", file),
		"reasoning":          reasoning("reasoning", ask),
		"reasoning-streamed": reasoning("reasoning-streamed", collect),
		"citations":          citations("citations", ask),
		"citations-streamed": citations("citations-streamed", collect),
		"long-history": func() tokens {
			items := []item{}
			for _, one := range history() {
				role := responses.EasyInputMessageRoleAssistant
				if one.isUser {
					role = responses.EasyInputMessageRoleUser
				}
				items = append(items, responses.ResponseInputItemParamOfMessage(one.text, role))
			}
			same(must(ask(params{Model: p.model, Input: giving(items...)})).OutputText(), settings.Answer, "answer")
			return nil
		},
		"rate-limited": func() tokens {
			told := failing(asking("rate-limited"), 429, "")
			holds(told.Response.Header.Get("retry-after") != "", "no Retry-After")
			return nil
		},
		"too-long":   func() tokens { failing(asking("too-long"), 400, "context_length_exceeded"); return nil },
		"overloaded": func() tokens { failing(asking("overloaded"), 503, ""); return nil },
		"cut": func() tokens {
			stream := client.Responses.NewStreaming(background, asking("cut"))
			isFailed := false
			for stream.Next() {
				isFailed = isFailed || stream.Current().Type == "response.failed" || stream.Current().Type == "error"
			}
			holds(isFailed || stream.Err() != nil, "no error was returned")
			return nil
		},
		"unknown-model": func() tokens {
			of := asking("chat")
			of.Model = noModel
			failing(of, 404, "model_not_found")
			return nil
		},
	}
}
