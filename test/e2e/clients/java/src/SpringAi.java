import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.anthropic.api.AnthropicApi;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.content.Media;
import org.springframework.ai.document.MetadataMode;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.OpenAiEmbeddingModel;
import org.springframework.ai.openai.OpenAiEmbeddingOptions;
import org.springframework.ai.openai.api.OpenAiApi;
import org.springframework.ai.retry.NonTransientAiException;
import org.springframework.ai.retry.TransientAiException;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/** Spring AI over its OpenAI and Anthropic packages; it calls the tools itself and asks again. */
final class SpringAi {
    /** What differs between the packages. */
    private interface Vendor {
        ChatModel model(Place place, String key);

        /** Options of a request. Either of the two may be missing. */
        ToolCallingChatOptions options(List<ToolCallback> tools, String schema);
    }

    private interface Reader {
        ChatResponse read(Prompt prompt);
    }

    private static final RetryTemplate ONCE = RetryTemplate.builder().maxAttempts(1).build();
    private static final int THINKING_BUDGET = 2_000;

    private static final Vendor OPEN_AI = new Vendor() {
        @Override
        public ChatModel model(Place place, String key) {
            var api = OpenAiApi.builder().baseUrl(place.url()).apiKey(key).build();
            var options = OpenAiChatOptions.builder().model(place.model()).streamUsage(true).build();
            return OpenAiChatModel.builder().openAiApi(api).defaultOptions(options).retryTemplate(ONCE).build();
        }

        @Override
        public ToolCallingChatOptions options(List<ToolCallback> tools, String schema) {
            var options = OpenAiChatOptions.builder().toolCallbacks(tools);
            if (schema != null) options.outputSchema(schema);
            return options.build();
        }
    };

    private static final Vendor ANTHROPIC = new Vendor() {
        @Override
        public ChatModel model(Place place, String key) {
            var api = AnthropicApi.builder().baseUrl(place.url()).apiKey(key).build();
            var options = AnthropicChatOptions.builder().model(place.model()).maxTokens(Place.CAP).build();
            return AnthropicChatModel.builder().anthropicApi(api).defaultOptions(options).retryTemplate(ONCE).build();
        }

        @Override
        public ToolCallingChatOptions options(List<ToolCallback> tools, String schema) {
            var options = AnthropicChatOptions.builder().toolCallbacks(tools);
            if (schema != null) options.outputSchema(schema);
            return options.build();
        }
    };

    /** Keeps what it was called with. */
    private record Tool(String name, Map<String, Object> schema, List<Place.Call> calls) implements ToolCallback {
        @Override
        public ToolDefinition getToolDefinition() {
            var inputSchema = Place.JSON.valueToTree(schema).toString();
            return ToolDefinition.builder().name(name).description(name).inputSchema(inputSchema).build();
        }

        @Override
        public String call(String input) {
            calls.add(new Place.Call(name, input));
            return Place.TOOL_RESULT;
        }
    }

    private final Vendor vendor;
    private final ChatModel model;

    private SpringAi(Vendor vendor, Place place) {
        this.vendor = vendor;
        this.model = vendor.model(place, place.key());
    }

    private ChatResponse ask(Prompt prompt) {
        return model.call(prompt);
    }

    private ChatResponse collect(Prompt prompt) {
        var whole = new AtomicReference<ChatResponse>();
        new MessageAggregator().aggregate(model.stream(prompt), whole::set).blockLast();
        return whole.get();
    }

    private Prompt asking(String name) {
        return new Prompt(Place.question(name), vendor.options(List.of(), null));
    }

    private static String said(ChatResponse answer) {
        return answer.getResult().getOutput().getText();
    }

    private static Place.Tokens usage(ChatResponse answer) {
        var usage = answer.getMetadata().getUsage();
        return new Place.Tokens(usage.getPromptTokens(), usage.getCompletionTokens());
    }

    private Main.Scenario chat(String name, Reader reader) {
        return () -> {
            var answer = reader.read(asking(name));
            Place.same(said(answer), Place.ANSWER, "answer");
            return usage(answer);
        };
    }

    private Main.Scenario tools(String name, Reader reader) {
        return () -> {
            List<Place.Call> calls = new ArrayList<>();
            List<ToolCallback> tools = List.of(
                    new Tool("lookup", Place.LOOKUP_SCHEMA, calls), new Tool("now", Place.NO_ARGUMENTS, calls));
            var last = reader.read(new Prompt(Place.question(name), vendor.options(tools, null)));
            Place.same(calls, Place.callsOf(name), "calls");
            Place.same(said(last), Place.ANSWER, "answer");
            // It adds up what both turns took.
            return null;
        };
    }

    private Place.Tokens structured() {
        var schema = Place.JSON.valueToTree(Place.FORM_SCHEMA).toString();
        var answer = ask(new Prompt(Place.question("structured"), vendor.options(List.of(), schema)));
        Place.same(Place.parsed(said(answer)), Place.FORM, "form");
        return null;
    }

    private Main.Scenario withMedia(String name, MimeType type, String data, String words) {
        return () -> {
            var media = Media.builder()
                    .mimeType(type)
                    .data(new ByteArrayResource(Base64.getDecoder().decode(data)))
                    .name("a")
                    .build();
            var user = UserMessage.builder().text(Place.question(name)).media(media).build();
            Place.same(said(ask(new Prompt(user, vendor.options(List.of(), null)))), words, "answer");
            return null;
        };
    }

    private Place.Tokens longHistory() {
        List<Message> messages = new ArrayList<>();
        for (var turn : Place.history())
            messages.add(turn.isUser() ? new UserMessage(turn.text()) : new AssistantMessage(turn.text()));
        Place.same(said(ask(new Prompt(messages, vendor.options(List.of(), null)))), Place.ANSWER, "answer");
        return null;
    }

    private Main.Scenario failing(String name, Class<? extends Exception> kind, String status) {
        return () -> {
            var error = Place.raised(kind, () -> ask(asking(name)));
            Place.holds(error.getMessage().contains(status), "the message is " + error.getMessage());
            return null;
        };
    }

    private Map<String, Main.Scenario> common(Place place, String overloaded) {
        Map<String, Main.Scenario> all = new LinkedHashMap<>();
        all.put("chat", chat("chat", this::ask));
        all.put("stream", chat("stream", this::collect));
        all.put("tools", tools("tools", this::ask));
        all.put("tools-streamed", tools("tools-streamed", this::collect));
        all.put("parallel-tools", tools("parallel-tools", this::ask));
        all.put("parallel-tools-streamed", tools("parallel-tools-streamed", this::collect));
        all.put("structured", this::structured);
        all.put("picture", withMedia("picture", MimeTypeUtils.IMAGE_PNG, Place.PICTURE, "I see 1 picture."));
        var pdf = MimeType.valueOf("application/pdf");
        all.put("file", withMedia("file", pdf, Place.PDF, "I read 1 file."));
        all.put("long-history", this::longHistory);
        all.put("rate-limited", failing("rate-limited", NonTransientAiException.class, "429"));
        all.put("too-long", failing("too-long", NonTransientAiException.class, "400"));
        all.put("overloaded", failing("overloaded", TransientAiException.class, overloaded));
        all.put("cut", () -> {
            Place.raised(Exception.class, () -> collect(asking("cut")));
            return null;
        });
        all.put("unauthorized", () -> {
            var other = vendor.model(place, Place.UNKNOWN_KEY);
            var error = Place.raised(NonTransientAiException.class, () -> other.call(asking("chat")));
            Place.holds(error.getMessage().contains("401"), "the message is " + error.getMessage());
            return null;
        });
        all.put("unknown-model", () -> {
            var other = vendor.model(new Place(place.url(), place.key(), Place.NO_MODEL, place.upstream()), place.key());
            var error = Place.raised(NonTransientAiException.class, () -> other.call(asking("chat")));
            Place.holds(error.getMessage().contains("404"), "the message is " + error.getMessage());
            return null;
        });
        return all;
    }

    static Map<String, Main.Scenario> openAi(Place place) {
        var all = new SpringAi(OPEN_AI, place).common(place, "503");
        all.put("embeddings", () -> {
            var api = OpenAiApi.builder().baseUrl(place.url()).apiKey(place.key()).build();
            var options = OpenAiEmbeddingOptions.builder().model(place.model()).build();
            var vectors = new OpenAiEmbeddingModel(api, MetadataMode.EMBED, options, ONCE).embed(List.of("one", "two"));
            Place.same(vectors.stream().map(one -> one.length).toList(), List.of(3, 3), "vectors");
            return null;
        });
        return all;
    }

    static Map<String, Main.Scenario> anthropic(Place place) {
        var own = new SpringAi(ANTHROPIC, place);
        var all = own.common(place, "529");
        all.put("reasoning", () -> {
            var options = AnthropicChatOptions.builder()
                    .thinking(AnthropicApi.ThinkingType.ENABLED, THINKING_BUDGET)
                    .build();
            var answer = own.ask(new Prompt(Place.question("reasoning"), options));
            var texts = answer.getResults().stream().map(one -> one.getOutput().getText()).toList();
            Place.holds(texts.contains(Place.ANSWER), "answer: " + texts);
            if (place.tellsThoughts())
                Place.holds(texts.stream().anyMatch(text -> Objects.equals(text, Place.THOUGHT)), "thought: " + texts);
            return usage(answer);
        });
        return all;
    }
}
