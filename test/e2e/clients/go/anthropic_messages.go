package main

import (
	"encoding/base64"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

func anthropicClient(p place, key string) anthropic.Client {
	return anthropic.NewClient(option.WithAPIKey(key), option.WithBaseURL(p.url), option.WithMaxRetries(0))
}

// anthropicScenarios are those of the official Anthropic package.
func anthropicScenarios(p place) map[string]scenario {
	client := anthropicClient(p, p.key)
	type params = anthropic.MessageNewParams
	type reader func(params) (*anthropic.Message, error)
	asking := func(name string, more ...anthropic.ContentBlockParamUnion) params {
		blocks := append(more, anthropic.NewTextBlock(question(name)))
		return params{
			Model: anthropic.Model(p.model), MaxTokens: outputCap,
			Messages: []anthropic.MessageParam{anthropic.NewUserMessage(blocks...)},
		}
	}
	ask := func(of params) (*anthropic.Message, error) { return client.Messages.New(background, of) }
	collect := func(of params) (*anthropic.Message, error) {
		stream := client.Messages.NewStreaming(background, of)
		whole := anthropic.Message{}
		for stream.Next() {
			if err := whole.Accumulate(stream.Current()); err != nil {
				return nil, err
			}
		}
		return &whole, stream.Err()
	}
	said := func(answer *anthropic.Message) string {
		text := ""
		for _, block := range answer.Content {
			text += block.Text
		}
		return text
	}
	usage := func(answer *anthropic.Message) tokens {
		of := answer.Usage
		return tokens{of.InputTokens + of.CacheReadInputTokens + of.CacheCreationInputTokens, of.OutputTokens}
	}
	thinking := anthropic.ThinkingConfigParamOfEnabled(2_000)
	tool := func(name string, properties any, required []string) anthropic.ToolUnionParam {
		return anthropic.ToolUnionParamOfTool(
			anthropic.ToolInputSchemaParam{Properties: properties, Required: required}, name)
	}
	tools := []anthropic.ToolUnionParam{
		tool("lookup", lookupSchema["properties"], []string{"city"}),
		tool("now", map[string]any{}, nil),
	}
	chat := func(name string, read reader) scenario {
		return func() tokens {
			answer := must(read(asking(name)))
			same(answer.Content[0].Text, settings.Answer, "answer")
			same(answer.StopReason, anthropic.StopReasonEndTurn, "stop reason")
			return usage(answer)
		}
	}
	withTools := func(name string, read reader) scenario {
		return func() tokens {
			of := asking(name)
			of.Tools = tools
			if strings.HasPrefix(name, "parallel") {
				of.Thinking = thinking
			}
			first := must(read(of))
			same(first.StopReason, anthropic.StopReasonToolUse, "stop reason")
			calls := []call{}
			results := []anthropic.ContentBlockParamUnion{}
			for _, block := range first.Content {
				if block.Type == "tool_use" {
					calls = append(calls, call{block.Name, parsed(string(block.Input))})
					results = append(results, anthropic.NewToolResultBlock(block.ID, settings.ToolResult, false))
				}
			}
			same(calls, callsOf(name), "calls")
			of.Messages = append(of.Messages, first.ToParam(), anthropic.NewUserMessage(results...))
			last := must(read(of))
			same(said(last), settings.Answer, "answer")
			return usage(last)
		}
	}
	reasoning := func(name string, read reader) scenario {
		return func() tokens {
			of := asking(name)
			of.Thinking = thinking
			answer := must(read(of))
			same(said(answer), settings.Answer, "answer")
			if p.tellsThoughts() {
				same(answer.Content[0].Type, "thinking", "first block")
				same(answer.Content[0].Thinking, settings.Thought, "thought")
			}
			return usage(answer)
		}
	}
	citations := func(name string, read reader) scenario {
		return func() tokens {
			block := must(read(asking(name))).Content[0]
			same(block.Text, settings.Answer, "answer")
			holds(len(block.Citations) > 0, "no citations")
			same(block.Citations[0].URL, settings.Source.URL, "citation")
			return nil
		}
	}
	failing := func(err error, status int, kind, words string) *anthropic.Error {
		told := raised[*anthropic.Error](err)
		same([]any{told.StatusCode, string(told.Type())}, []any{status, kind}, "error")
		holds(strings.Contains(told.RawJSON(), words), "the error is "+told.RawJSON())
		return told
	}
	refused := func(name string, status int, kind, words string) scenario {
		return func() tokens {
			_, err := ask(asking(name))
			failing(err, status, kind, words)
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
			of.OutputConfig = anthropic.OutputConfigParam{Format: anthropic.JSONOutputFormatParam{Schema: formSchema}}
			same(parsed(said(must(ask(of)))), form, "form")
			return nil
		},
		"picture": func() tokens {
			picture := base64.StdEncoding.EncodeToString(settings.Picture)
			answer := must(ask(asking("picture", anthropic.NewImageBlockBase64("image/png", picture))))
			same(said(answer), "I see 1 picture.", "answer")
			return nil
		},
		"file": func() tokens {
			file := anthropic.Base64PDFSourceParam{Data: base64.StdEncoding.EncodeToString(settings.PDF)}
			same(said(must(ask(asking("file", anthropic.NewDocumentBlock(file))))), "I read 1 file.", "answer")
			return nil
		},
		"reasoning":          reasoning("reasoning", ask),
		"reasoning-streamed": reasoning("reasoning-streamed", collect),
		"citations":          citations("citations", ask),
		"citations-streamed": citations("citations-streamed", collect),
		"long-history": func() tokens {
			of := params{Model: anthropic.Model(p.model), MaxTokens: outputCap}
			for _, one := range history() {
				made := anthropic.NewAssistantMessage
				if one.isUser {
					made = anthropic.NewUserMessage
				}
				of.Messages = append(of.Messages, made(anthropic.NewTextBlock(one.text)))
			}
			same(said(must(ask(of))), settings.Answer, "answer")
			return nil
		},
		"rate-limited": func() tokens {
			_, err := ask(asking("rate-limited"))
			told := failing(err, 429, "rate_limit_error", "")
			holds(told.Response.Header.Get("retry-after") != "", "no Retry-After")
			return nil
		},
		"too-long":   refused("too-long", 400, "invalid_request_error", "prompt is too long"),
		"overloaded": refused("overloaded", 529, "overloaded_error", ""),
		"cut": func() tokens {
			_, err := collect(asking("cut"))
			holds(err != nil, "no error was returned")
			return nil
		},
		"unauthorized": func() tokens {
			other := anthropicClient(p, unknownKey)
			_, err := other.Models.List(background, anthropic.ModelListParams{})
			failing(err, 401, "authentication_error", "")
			return nil
		},
		"unknown-model": func() tokens {
			of := asking("chat")
			of.Model = noModel
			_, err := ask(of)
			failing(err, 404, "not_found_error", "")
			return nil
		},
		"models": func() tokens {
			pages := client.Models.ListAutoPaging(background, anthropic.ModelListParams{})
			found := false
			for pages.Next() {
				found = found || pages.Current().ID == p.model
			}
			holds(found && pages.Err() == nil, "the model is not listed")
			return nil
		},
	}
}
