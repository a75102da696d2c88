import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** LangChain for Java over its OpenAI, Anthropic and Google packages. */
final class LangChain {
    /** The same model, for whole answers and for streams. */
    record Models(ChatModel whole, StreamingChatModel streamed) {}

    private interface Reader {
        ChatResponse read(ChatRequest.Builder request) throws Exception;
    }

    static Models openAi(Place place) {
        String url = place.url() + "/v1";
        return new Models(
                OpenAiChatModel.builder()
                        .baseUrl(url)
                        .apiKey(place.key())
                        .modelName(place.model())
                        .maxRetries(0)
                        .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA)
                        .strictJsonSchema(true)
                        .build(),
                OpenAiStreamingChatModel.builder()
                        .baseUrl(url)
                        .apiKey(place.key())
                        .modelName(place.model())
                        .build());
    }

    static Models anthropic(Place place) {
        String url = place.url() + "/v1";
        return new Models(
                AnthropicChatModel.builder()
                        .baseUrl(url)
                        .apiKey(place.key())
                        .modelName(place.model())
                        .maxTokens(Place.CAP)
                        .maxRetries(0)
                        .build(),
                AnthropicStreamingChatModel.builder()
                        .baseUrl(url)
                        .apiKey(place.key())
                        .modelName(place.model())
                        .maxTokens(Place.CAP)
                        .build());
    }

    static Models google(Place place) {
        String url = place.url() + "/v1beta";
        return new Models(
                GoogleAiGeminiChatModel.builder()
                        .baseUrl(url)
                        .apiKey(place.key())
                        .modelName(place.model())
                        .sendThinking(true)
                        .returnThinking(true)
                        .maxRetries(0)
                        .build(),
                GoogleAiGeminiStreamingChatModel.builder()
                        .baseUrl(url)
                        .apiKey(place.key())
                        .modelName(place.model())
                        .sendThinking(true)
                        .returnThinking(true)
                        .build());
    }

    private final Models models;

    private LangChain(Models models) {
        this.models = models;
    }

    private ChatResponse ask(ChatRequest.Builder request) {
        return models.whole().chat(request.build());
    }

    private ChatResponse collect(ChatRequest.Builder request) throws Exception {
        CompletableFuture<ChatResponse> whole = new CompletableFuture<>();
        models.streamed().chat(request.build(), new StreamingChatResponseHandler() {
            @Override
            public void onCompleteResponse(ChatResponse response) {
                whole.complete(response);
            }

            @Override
            public void onError(Throwable error) {
                whole.completeExceptionally(error);
            }
        });
        try {
            return whole.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException error) {
            throw error.getCause() instanceof Exception cause ? cause : error;
        }
    }

    private static ChatRequest.Builder asking(String name) {
        return ChatRequest.builder().messages(UserMessage.from(Place.question(name)));
    }

    private static Place.Tokens usage(ChatResponse answer) {
        var usage = answer.tokenUsage();
        return new Place.Tokens(usage.inputTokenCount(), usage.outputTokenCount());
    }

    private Runner.Scenario chat(String name, Reader reader) {
        return () -> {
            var answer = reader.read(asking(name));
            Place.same(answer.aiMessage().text(), Place.ANSWER, "answer");
            return usage(answer);
        };
    }

    private Runner.Scenario tools(String name, Reader reader) {
        return () -> {
            var lookup = JsonObjectSchema.builder()
                    .addStringProperty("city")
                    .addIntegerProperty("days")
                    .required("city")
                    .build();
            var tools = List.of(
                    ToolSpecification.builder().name("lookup").description("Weather").parameters(lookup).build(),
                    ToolSpecification.builder().name("now").description("Time").build());
            List<ChatMessage> messages = new ArrayList<>(List.of(UserMessage.from(Place.question(name))));
            AiMessage first = reader.read(ChatRequest.builder().messages(messages).toolSpecifications(tools)).aiMessage();
            messages.add(first);
            List<Place.Call> calls = new ArrayList<>();
            for (var call : first.toolExecutionRequests()) {
                calls.add(new Place.Call(call.name(), call.arguments()));
                messages.add(ToolExecutionResultMessage.from(call, Place.TOOL_RESULT));
            }
            Place.same(calls, Place.callsOf(name), "calls");
            var last = reader.read(ChatRequest.builder().messages(messages).toolSpecifications(tools));
            Place.same(last.aiMessage().text(), Place.ANSWER, "answer");
            return usage(last);
        };
    }

    private Place.Tokens structured() {
        var root = JsonObjectSchema.builder()
                .addStringProperty("city")
                .addIntegerProperty("degrees")
                .required("city", "degrees")
                .additionalProperties(false)
                .build();
        var schema = JsonSchema.builder().name("form").rootElement(root).build();
        var format = ResponseFormat.builder().type(ResponseFormatType.JSON).jsonSchema(schema).build();
        var answer = ask(asking("structured").responseFormat(format));
        Place.same(Place.parsed(answer.aiMessage().text()), Place.FORM, "form");
        return null;
    }

    private Place.Tokens picture() {
        var user = UserMessage.from(
                TextContent.from(Place.question("picture")), ImageContent.from(Place.PICTURE, "image/png"));
        Place.same(ask(ChatRequest.builder().messages(user)).aiMessage().text(), "I see 1 picture.", "answer");
        return null;
    }

    private Place.Tokens longHistory() {
        List<ChatMessage> messages = new ArrayList<>();
        for (var turn : Place.history())
            messages.add(turn.isUser() ? UserMessage.from(turn.text()) : AiMessage.from(turn.text()));
        Place.same(ask(ChatRequest.builder().messages(messages)).aiMessage().text(), Place.ANSWER, "answer");
        return null;
    }

    private Runner.Scenario failing(String name, Class<? extends Exception> kind) {
        return () -> {
            Place.raised(kind, () -> ask(asking(name)));
            return null;
        };
    }

    static Map<String, Runner.Scenario> scenarios(Models models) {
        var own = new LangChain(models);
        Map<String, Runner.Scenario> all = new LinkedHashMap<>();
        all.put("chat", own.chat("chat", own::ask));
        all.put("stream", own.chat("stream", own::collect));
        all.put("tools", own.tools("tools", own::ask));
        all.put("tools-streamed", own.tools("tools-streamed", own::collect));
        all.put("parallel-tools", own.tools("parallel-tools", own::ask));
        all.put("parallel-tools-streamed", own.tools("parallel-tools-streamed", own::collect));
        all.put("structured", own::structured);
        all.put("picture", own::picture);
        all.put("long-history", own::longHistory);
        all.put("rate-limited", own.failing("rate-limited", dev.langchain4j.exception.RateLimitException.class));
        all.put("too-long", own.failing("too-long", dev.langchain4j.exception.InvalidRequestException.class));
        all.put("overloaded", own.failing("overloaded", dev.langchain4j.exception.InternalServerException.class));
        all.put("cut", () -> {
            Place.raised(Exception.class, () -> own.collect(asking("cut")));
            return null;
        });
        return all;
    }
}
