package main

import (
	"context"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/openai"
)

func langchainOpenAI(p place) llms.Model {
	return must(openai.New(openai.WithToken(p.key), openai.WithModel(p.model), openai.WithBaseURL(p.url+"/v1")))
}

func langchainAnthropic(p place) llms.Model {
	return must(anthropic.New(
		anthropic.WithToken(p.key), anthropic.WithModel(p.model), anthropic.WithBaseURL(p.url+"/v1")))
}

// langchainScenarios are those of LangChain for Go.
func langchainScenarios(model llms.Model, picture llms.ContentPart) map[string]scenario {
	user := func(text string) []llms.MessageContent {
		return []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, text)}
	}
	tool := func(name string, schema any) llms.Tool {
		definition := llms.FunctionDefinition{Name: name, Description: name, Parameters: schema}
		return llms.Tool{Type: "function", Function: &definition}
	}
	tools := []llms.Tool{tool("lookup", lookupSchema), tool("now", noArguments)}
	ask := func(given []llms.MessageContent, more ...llms.CallOption) (*llms.ContentResponse, error) {
		return model.GenerateContent(background, given, append(more, llms.WithMaxTokens(outputCap))...)
	}
	streamed := llms.WithStreamingFunc(func(context.Context, []byte) error { return nil })
	said := func(answer *llms.ContentResponse) string {
		text := ""
		for _, choice := range answer.Choices {
			text += choice.Content
		}
		return text
	}
	chat := func(name string, more ...llms.CallOption) scenario {
		return func() tokens {
			same(said(must(ask(user(question(name)), more...))), settings.Answer, "answer")
			return nil
		}
	}
	withTools := func(name string, more ...llms.CallOption) scenario {
		return func() tokens {
			messages := user(question(name))
			more := append(more, llms.WithTools(tools))
			calls := []call{}
			asked := llms.MessageContent{Role: llms.ChatMessageTypeAI}
			results := []llms.MessageContent{}
			for _, choice := range must(ask(messages, more...)).Choices {
				for _, made := range choice.ToolCalls {
					calls = append(calls, call{made.FunctionCall.Name, parsed(made.FunctionCall.Arguments)})
					asked.Parts = append(asked.Parts, made)
					results = append(results, llms.MessageContent{
						Role: llms.ChatMessageTypeTool,
						Parts: []llms.ContentPart{llms.ToolCallResponse{
							ToolCallID: made.ID, Name: made.FunctionCall.Name, Content: settings.ToolResult,
						}},
					})
				}
			}
			same(calls, callsOf(name), "calls")
			messages = append(append(messages, asked), results...)
			same(said(must(ask(messages, more...))), settings.Answer, "answer")
			return nil
		}
	}
	return map[string]scenario{
		"chat":           chat("chat"),
		"stream":         chat("stream", streamed),
		"tools":          withTools("tools"),
		"tools-streamed": withTools("tools-streamed", streamed),
		"parallel-tools": withTools("parallel-tools"),
		"picture": func() tokens {
			parts := []llms.ContentPart{picture, llms.TextPart(question("picture"))}
			answer := must(ask([]llms.MessageContent{{Role: llms.ChatMessageTypeHuman, Parts: parts}}))
			same(said(answer), "I see 1 picture.", "answer")
			return nil
		},
		"long-history": func() tokens {
			messages := []llms.MessageContent{}
			for _, one := range history() {
				role := llms.ChatMessageTypeAI
				if one.isUser {
					role = llms.ChatMessageTypeHuman
				}
				messages = append(messages, llms.TextParts(role, one.text))
			}
			same(said(must(ask(messages))), settings.Answer, "answer")
			return nil
		},
		"cut": func() tokens {
			_, err := ask(user(question("cut")), streamed)
			holds(err != nil, "no error was returned")
			return nil
		},
	}
}
